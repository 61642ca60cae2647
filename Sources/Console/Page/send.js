// Sends what a person does, and keeps in its form how that goes: sending, sent, refused by the server, rejected by the pipeline.
import { act } from "./api.js";
import { rejectionOf } from "./live.js";
import { changed, state } from "./store.js";

/** Posts it. The form waits then, until the pipeline has gone on or has rejected it. */
export async function send(form, session, what, body) {
  if (form.sending) return undefined;
  Object.assign(form, { sending: true, error: undefined, sent: undefined, rejected: undefined, doing: what });
  changed();
  try {
    const answer = await act(session, what, body);
    form.sent = answer.event;
    form.sentAt = Date.now();
    if (state.session?.name !== session) {
      rejectionOf(session, answer.event).then((rejected) => {
        form.rejected = rejected;
        changed();
      });
    }
    return answer;
  } catch (problem) {
    form.error = problem;
    return undefined;
  } finally {
    form.sending = false;
    changed();
  }
}

/** What went wrong with it, if something did: `{message, field}`. */
export function wrong(form) {
  if (form.error) return form.error;
  return form.rejected ?? (form.sent && state.session?.rejections[form.sent]) ?? undefined;
}

export const waits = (form) => form.sending || (form.sent !== undefined && !wrong(form));

/** How it goes, for a status line. */
export function waitText(form) {
  if (form.sending) return "Sending…";
  if (!waits(form)) return "";
  return state.now - form.sentAt > 12_000 ? "Sent, but the pipeline has not gone on yet. It will when its coordinator runs." : "Sent. Waiting for the pipeline…";
}
