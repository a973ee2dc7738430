import type { ExportedEvent } from '@tripline/contract/console/event-export'
import type { TenantId } from '@tripline/model/tenant'

/** The events of an export: a query, and a range as that of a search, in milliseconds since the epoch. */
type EventSelection = { readonly query: string; readonly from: number | undefined; readonly to: number | undefined }

/**
 * Finds stored events for an export, oldest first, and says what of them cannot be in it. Events that are stored meanwhile are
 * left out.
 *
 * @throws AppError INVALID_QUERY, INVALID_PARAMETER as a search.
 */
export type EventScan = (tenant: TenantId, selection: EventSelection) => {
  /** Reads the events, oldest first, as they are when it begins; breaks off where events turn out to be damaged. */
  readonly scan: (signal: AbortSignal) => AsyncIterable<readonly ExportedEvent[]>
  /** What is not in it: events that are not stored yet, and lost ones. */
  readonly warnings: readonly string[]
}
