import { createStore } from '../lib/store.ts'

/** A short message; with `undo` it offers to take back what was done. */
export type Toast = {
  /** A notice goes by itself, an error stays until it is closed. */
  readonly kind: 'notice' | 'error'
  readonly text: string
  readonly undo?: () => void
  /** Tries once more what was refused. */
  readonly again?: () => void
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

/** Takes back the last action, if that is still offered. */
export function undoLast(): void {
  const undo = toast.get()?.undo
  toast.set(undefined)
  undo?.()
}
