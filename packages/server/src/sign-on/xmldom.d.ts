// What is used of the parser. Its own types are those of browsers, which differ from Node's.

export type Node = { readonly parentNode: Node | null }

export type Element = Node & {
  readonly localName: string
  readonly namespaceURI: string | null
  /** Empty, as in old browsers, where there is none. */
  readonly getAttribute: (name: string) => string | null
}

export type Document = {
  readonly documentElement?: Element
  readonly getElementsByTagName: (name: string) => ArrayLike<Element>
}

type Handler = (problem: unknown) => void

export declare class DOMParser {
  constructor(options: { readonly errorHandler: { readonly warning: Handler; readonly error: Handler; readonly fatalError: Handler } })
  parseFromString(text: string, mediaType: string): Document | undefined
}
