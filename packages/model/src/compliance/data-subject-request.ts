/** What a person may ask for under the GDPR and the CCPA. */
export const requestTypes = ['access', 'rectification', 'erasure', 'restriction', 'portability', 'objection', 'opt_out'] as const
export type RequestType = (typeof requestTypes)[number]

export const requestStatuses = ['open', 'in_progress', 'completed', 'rejected'] as const
export type RequestStatus = (typeof requestStatuses)[number]

/** The law under which a request is made: it sets the time to answer. */
export const requestLaws = ['gdpr', 'ccpa'] as const
export type RequestLaw = (typeof requestLaws)[number]

/** Facts about a request of a person about their data. */
export type DataSubjectRequestFacts = {
  readonly type: RequestType
  readonly law: RequestLaw
  /** How the requester is known: a name, an address, the number of a ticket. */
  readonly subjectRef: string
  readonly status: RequestStatus
  readonly note: string
  readonly receivedAt: number
  readonly dueAt: number
}

/** A request of a person about their data, in the register of the tenant. */
export type DataSubjectRequest = DataSubjectRequestFacts & {
  readonly id: string
  /** Set while it is completed or rejected. */
  readonly closedAt: number | undefined
  /** Counts changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

const dayMs = 86_400_000

/** A month under the GDPR (article 12, paragraph 3), 45 days under the CCPA. */
const daysToAnswer: { readonly [law in RequestLaw]: number } = { gdpr: 30, ccpa: 45 }

/** When a request must have been answered. */
export function computeDueAt(law: RequestLaw, receivedAt: number): number {
  return receivedAt + daysToAnswer[law] * dayMs
}

/** Whether a request needs nothing more. */
function isClosed(status: RequestStatus): boolean {
  return status === 'completed' || status === 'rejected'
}

/** When a request was closed: it keeps its time while it stays closed, and has none while it is open. */
export function computeClosedAt(
  before: Pick<DataSubjectRequest, 'status' | 'closedAt'> | undefined, status: RequestStatus, at: number,
): number | undefined {
  if (!isClosed(status)) return undefined
  return before !== undefined && isClosed(before.status) ? before.closedAt : at
}
