import { createStore } from '../lib/store.ts'

/** A short message; with `undo` it offers to take back what was done. */
export type Toast = {
  /** A notice goes by itself, an error stays until it is closed. */
  readonly kind: 'notice' | 'error'
  readonly text: string
  readonly undo?: () => void
  /** Tries once more what was refused. */
  readonly again?: () => void
  /** A step that follows from what was done; `e` takes it too, unless the page has another use of that key. */
  readonly offer?: { readonly text: string; readonly run: () => void }
  /** Leads to what was made; `follow` goes there within the page. */
  readonly link?: { readonly href: string; readonly text: string; readonly follow: () => void }
}

const shownMs = 10_000

/** The one message that is shown. */
export const toast = createStore<Toast | undefined>(undefined)

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message in place of the one before. */
export function showToast(next: Toast): void {
  clearTimeout(timer)
  toast.set(next)
  if (next.kind === 'notice') timer = setTimeout(() => toast.set(undefined), shownMs)
}

/** Adds an offer to a message that is still shown, and shows both for the whole time. */
export function offerMore(to: Toast, offer: NonNullable<Toast['offer']>): void {
  if (toast.get() === to) showToast({ ...to, offer })
}

/** Takes the step that the message offers, if it does. */
export function takeOffer(): void {
  const offer = toast.get()?.offer
  if (offer === undefined) return
  toast.set(undefined)
  offer.run()
}

/** Takes back the last action, if that is still offered. */
export function undoLast(): void {
  const undo = toast.get()?.undo
  toast.set(undefined)
  undo?.()
}
