/** Browsers bound what an entry of the history holds. */
const lengthMax = 100_000

/** The events that a rule was tested with before it was stored, for the entry of the history that shows it after that. */
export function carryEvents(events: string): object {
  return events === '' || events.length > lengthMax ? {} : { events }
}

/** What `carryEvents` put there; undefined for a page that was come to in another way. */
export function readCarriedEvents(state: object): string | undefined {
  return 'events' in state && typeof state.events === 'string' ? state.events : undefined
}
