import type { Runtime } from '@tripline/common/runtime'
import type { PushData } from '@tripline/contract/push/push'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import { printPushMessage } from './print-message.ts'

/** Reads the current metrics of a tenant's pipeline. */
export type ReadMetrics = (tenant: TenantId) => PushData<'metrics_update'>

/**
 * Caches printed `metrics_update` messages: one serves all connections of a tenant for `limits.push.metricsFreshMs`.
 */
export class MetricsUpdateCache {
  readonly #read: ReadMetrics
  readonly #clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly #printed = new Map<TenantId, { readonly message: Uint8Array; readonly printedMs: number }>()

  constructor(read: ReadMetrics, clock: Pick<Runtime, 'now' | 'elapsedMs'>) {
    this.#read = read
    this.#clock = clock
  }

  getMessage(tenant: TenantId): Uint8Array {
    const printedMs = this.#clock.elapsedMs()
    const known = this.#printed.get(tenant)
    if (known !== undefined && printedMs - known.printedMs < limits.push.metricsFreshMs) return known.message
    const message = printPushMessage('metrics_update', this.#clock.now(), this.#read(tenant))
    this.#printed.set(tenant, { message, printedMs })
    return message
  }
}
