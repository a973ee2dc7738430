import { createStore } from './store.ts'
import { useStore } from './use-store.ts'

/** One clock for all ages on a page, so that neighbours never show ages of different moments. */
const clock = createStore(Date.now())

/** How often ages change. */
const tickMs = 10_000

let timer: ReturnType<typeof setInterval> | undefined

/** Starts the clock; it stands still while the page is hidden. */
export function startClock(): void {
  const start = (): void => {
    clock.set(Date.now())
    timer ??= setInterval(() => clock.set(Date.now()), tickMs)
  }
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()))
  start()
}

/** The time of the shared clock. */
export function useNow(): number {
  return useStore(clock)
}

/** Moves the shared clock to now, as when a list is loaded again. */
export function tickClock(): void {
  clock.set(Date.now())
}
