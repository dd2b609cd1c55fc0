// A failed request or job, as the page shows it.

import { ApiError, pickDetails, type ErrorDetails } from "../engine/engine";
import { toSentence } from "../format";

export interface Failure {
  message: string;
  details: ErrorDetails;
}

/** The failure that an event reports by its message and its keys; null if it reports none. */
export function reportedFailure(data: ErrorDetails & { error?: string | null }): Failure | null {
  return data.error ? { message: toSentence(data.error), details: pickDetails(data) } : null;
}

/** The failure of a request. Other errors are logged to the console and shown as `unexpected`. */
export function toFailure(error: unknown, unexpected = "Something went wrong."): Failure {
  if (error instanceof ApiError) return { message: toSentence(error.message), details: error.details };
  console.error(error);
  return { message: unexpected, details: {} };
}
