/** A value that components and plain code share. */
export type Store<Value> = {
  readonly get: () => Value
  readonly set: (next: Value) => void
  readonly update: (change: (value: Value) => Value) => void
  /** Calls a listener after each change; returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store; setting the same value is no change. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: Value): void => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
