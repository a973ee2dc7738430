/** The target of polls: where pages are, and how they are read. */
export type PollTarget = {
  readonly url: URL
  /** Sent with each request; exchanged for a token where `tokenUrl` is set. */
  readonly client: { readonly id: string; readonly secret: string } | undefined
  readonly tokenUrl: URL | undefined
  /** Names that lead to the list of events; empty where the body is one event, a list, or an event a line. */
  readonly itemsPath: readonly string[]
  readonly cursorPath: readonly string[] | undefined
  readonly intervalMs: number
}
