// Sends what a person does, and keeps in its form how that goes: sending, sent, refused by the server, rejected by the pipeline.
import { act } from "./api.js";
import { approvalOf, rejectionOf } from "./live.js";
import { changed, state } from "./store.js";
import { isPersons, rejectionText } from "./timeline.js";

/**
 * Posts it. The form waits then, until the pipeline has gone on or has rejected it.
 * @param approver whether it is about a session that the sender does not see: the inbox tells what came of it
 */
export async function send(form, session, what, body, approver = false) {
  if (form.sending) return undefined;
  Object.assign(form, { session, about: body.prompt, before: lastResult(session), sending: true, error: undefined, sent: undefined, rejected: undefined, counted: false });
  state.last = form;
  changed();
  try {
    const answer = await act(session, what, body);
    form.sent = answer.event;
    form.sentAt = Date.now();
    if (approver) {
      approvalOf(body.prompt, answer.event).then((rejected) => {
        Object.assign(form, rejected ? { rejected } : { sent: undefined, counted: true });
        changed();
      });
    } else if (state.session?.name !== session) {
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

/** The newest event of the pipeline in a session that is open here. */
function lastResult(session) {
  return state.session?.name === session ? state.session.detail?.events.findLast((e) => !isPersons(e))?.id : undefined;
}

/** What went wrong with it, if something did: `{message, field}`. */
export function wrong(form) {
  if (form.error) return form.error;
  const rejected = form.rejected ?? (form.sent && state.session?.rejections[form.sent]);
  return rejected ? { ...rejected, message: rejectionText(rejected) } : undefined;
}

/** An answer that was refused when its question had gone: where its form was, the person is told. `open` are the prompts whose forms are there. */
export function lost(open, session) {
  const form = state.last;
  return form?.about && !open.includes(form.about) && (session === undefined || form.session === session) ? wrong(form) : undefined;
}

/** Whether the pipeline has gone on since it was sent. */
export const goneOn = (form) => form.sent !== undefined && state.session?.name === form.session && lastResult(form.session) !== form.before;

export const waits = (form) => form.sending || (form.sent !== undefined && !wrong(form) && !goneOn(form));

/** How it goes, for a status line. */
export function waitText(form) {
  if (form.sending) return "Sending…";
  if (!waits(form)) return "";
  return state.now - form.sentAt > 12_000 ? "Sent, but the pipeline has not gone on yet. It will when its coordinator runs." : "Sent. Waiting for the pipeline…";
}

/** A name that nobody can guess. crypto.randomUUID is missing on plain http from another machine. */
export const randomName = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
