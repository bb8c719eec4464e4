import { sessionOf } from './session-cookie.js';

/** What a request is counted by, before anybody looks whether it is worth anything: its bearer credential, else its session. */
export const credentialOf = ({
  headers,
}: Readonly<{ headers: Readonly<{ authorization?: string; cookie?: string }> }>): string | undefined =>
  headers.authorization ?? sessionOf(headers.cookie);
