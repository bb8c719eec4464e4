/** The key of session and delegation tokens, the same on every server: kept in PostgreSQL, read once at start. */
export class TokenKey {
  constructor(readonly bytes: Uint8Array) {}
}
