/** The `code` of a Node error, such as `ENOENT`; undefined for a thrown value without one. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
