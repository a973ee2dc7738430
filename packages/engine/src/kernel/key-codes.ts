/** Codes of keys without a slot. */
export const keyCodes = {
  /** The value is validated and skipped. */
  irrelevant: -1,
  /** The host has to parse the line. */
  slow: -2,
} as const
