import type { Logsource } from '../event/event.ts'

/** Converts a logsource to a map key. */
export function toLogsourceKey(category: string | undefined, product: string | undefined, service: string | undefined): string {
  return JSON.stringify([category ?? null, product ?? null, service ?? null])
}

/** Lists the keys of the logsources that contain one: each of its three parts either the same or left open. */
export function* listContainingKeys({ category, product, service }: Logsource): Generator<string> {
  for (const someCategory of category === undefined ? [undefined] : [undefined, category]) {
    for (const someProduct of product === undefined ? [undefined] : [undefined, product]) {
      for (const someService of service === undefined ? [undefined] : [undefined, service]) {
        yield toLogsourceKey(someCategory, someProduct, someService)
      }
    }
  }
}
