/// A certificate of its own for `localhost`, valid for a hundred years. Its key protects nothing.
enum TestCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlDCCATugAwIBAgIUU0AFQpMMU5drq/x07YOAk1IW2x4wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2NDMxNloYDzIxMjYxMDI4
        MDY0MzE2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQ3fafDsR/aTNwNxXiRAPaLT4jFg3UgujMijxXcWwPn65NJYsSOpMne
        7V4PLF24si4RDgQh44e1zptPlEYvpld/o2kwZzAdBgNVHQ4EFgQUzocR1kx2N5uR
        6TxBVZHo/6DCCoMwHwYDVR0jBBgwFoAUzocR1kx2N5uR6TxBVZHo/6DCCoMwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        RwAwRAIgDU0VxRUZns3appT+wbZ8IlqepHitpQ6cUgAENzCz28ICIBaYMGS2bR7j
        IjUqODsHI/lcxvRS67xYhoHPdleFBQQm
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQ9OJma7B1rzWusWE
        LMyCOW4HC7uVz0ADpk0wbUUnNBShRANCAAQ3fafDsR/aTNwNxXiRAPaLT4jFg3Ug
        ujMijxXcWwPn65NJYsSOpMne7V4PLF24si4RDgQh44e1zptPlEYvpld/
        -----END PRIVATE KEY-----
        """
}
