/** The status of an incident; every transition is allowed. They stand in the order in which an incident is worked on. */
export const incidentStatuses = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

/** The vocabularies of incident statuses: the console's, and those of the two profiles of the public API. */
type StatusView = 'console' | 'a' | 'b'

/** The word of each status in each vocabulary; several statuses may share one. */
const wordTable: { readonly [status in IncidentStatus]: { readonly [view in StatusView]: string } } = {
  open: { console: 'open', a: 'OPEN', b: 'open' },
  investigating: { console: 'investigating', a: 'OPEN', b: 'investigating' },
  contained: { console: 'contained', a: 'CONTAINED', b: 'contained' },
  eradicated: { console: 'eradicated', a: 'ERADICATED', b: 'contained' },
  recovered: { console: 'recovered', a: 'RECOVERED', b: 'resolved' },
  closed: { console: 'closed', a: 'CLOSED', b: 'closed' },
}

/** The word of a status. */
export function printIncidentStatus(view: StatusView, status: IncidentStatus): string {
  return wordTable[status][view]
}

/** The statuses that a word stands for, in order: a filter by the word finds them all. Empty for an unknown word. */
export function findIncidentStatuses(view: StatusView, word: string): readonly IncidentStatus[] {
  return incidentStatuses.filter((status) => wordTable[status][view] === word)
}

/** The words of a vocabulary, in order. */
export function listIncidentStatusWords(view: StatusView): readonly string[] {
  return [...new Set(incidentStatuses.map((status) => wordTable[status][view]))]
}

/**
 * The status that a written word means: the current one if it shows as that word already, so that a client does not undo what
 * its vocabulary cannot say, else the first. Undefined for an unknown word.
 */
export function resolveIncidentStatus(view: StatusView, current: IncidentStatus, word: string): IncidentStatus | undefined {
  return wordTable[current][view] === word ? current : findIncidentStatuses(view, word)[0]
}

/** The statuses of incidents that are worked on, so that alerts may join them. */
export const activeIncidentStatuses = ['open', 'investigating', 'contained', 'eradicated'] as const satisfies readonly IncidentStatus[]

/** Whether a change of status goes back, such as reopening. */
export function isBackwards(from: IncidentStatus, to: IncidentStatus): boolean {
  return incidentStatuses.indexOf(to) < incidentStatuses.indexOf(from)
}
