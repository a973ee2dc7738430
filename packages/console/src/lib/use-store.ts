import { useSyncExternalStore } from 'react'
import type { Store } from './store.ts'

/** The value of a store, or a part of it; renders again when that changes. */
export function useStore<Value>(store: Store<Value>): Value
export function useStore<Value, Part>(store: Store<Value>, select: (value: Value) => Part): Part
export function useStore<Value, Part>(store: Store<Value>, select?: (value: Value) => Part): Value | Part {
  return useSyncExternalStore(store.subscribe, () => (select === undefined ? store.get() : select(store.get())))
}
