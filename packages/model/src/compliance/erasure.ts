/** What became of an erasure. */
type ErasureStatus = 'queued' | 'running' | 'succeeded' | 'failed'

/** What still names a person after an erasure, since it would do something else without the name: its kind and id. */
export type KeptDefinition = {
  readonly type: 'rule' | 'playbook' | 'channel' | 'channel_route' | 'webhook' | 'connector' | 'settings' | 'group'
  readonly id: string
}

/** The erasure of a person's data, for a request in the register. */
export type Erasure = {
  readonly requestId: string
  readonly status: ErasureStatus
  /** The texts that identify the person, encrypted; empty once it has ended, since they are what is erased. */
  readonly sealedIdentifiers: string
  readonly requestedBy: string
  readonly requestedAt: number
  readonly finishedAt: number | undefined
  /** Events erased, and rows of the state that were changed or deleted, so far. */
  readonly eventCount: number
  readonly rowCount: number
  /** The first definitions that still name the person. */
  readonly kept: readonly KeptDefinition[]
  readonly error: string
}

/** What stands in the place of an erased text. */
export const erasedText = '[erased]'

/** Finds and replaces texts that identify a person, in any case of letters, in plain text and inside of JSON. */
export class SubjectText {
  readonly #pattern: RegExp

  constructor(identifiers: readonly string[]) {
    const forms = identifiers.flatMap((identifier) => {
      const escaped = escapeJson(identifier)
      // Saved views keep the query of an address.
      return [identifier, escaped, escapeJson(escaped), encodeURIComponent(identifier)]
    })
    // The longest first, so that an escaped form is replaced whole.
    const alternatives = [...new Set(forms)].sort((a, b) => b.length - a.length).map(escapePattern)
    this.#pattern = new RegExp(alternatives.join('|'), 'giu')
  }

  isIn(text: string): boolean {
    return text.search(this.#pattern) !== -1
  }

  replaceIn(text: string): string {
    return text.replace(this.#pattern, erasedText)
  }

  /** Whether the JSON text of an event names the person, in a key, a value or an escape. */
  isInEvent(json: string): boolean {
    if (this.isIn(json)) return true
    return json.includes('\\u') && this.isIn(unescapeUnicode(json))
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function unescapeUnicode(json: string): string {
  return json.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
