/** How long things last, in milliseconds. */
export class SessionSettings {
  constructor(
    /** A grant that is never revoked. */
    readonly grantMs = 12 * 3_600_000,
  ) {}
}
