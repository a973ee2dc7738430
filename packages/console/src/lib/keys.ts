import { useLayoutEffect, useRef } from 'react'
import { look } from './look.ts'
import { createStore } from './store.ts'

/** A key that does something: `j`, `Shift+x`, `Mod+k` (Ctrl, or Cmd on a Mac) or a sequence such as `g a`. */
type KeyBinding = {
  readonly keys: string
  /** What it does, for the list of keys; a binding without one is not listed. */
  readonly label?: string
  readonly run: (event: KeyboardEvent) => void
  /** Whether it also works while a field has the focus. */
  readonly isGlobal?: boolean
}

type Layer = { readonly bindings: readonly KeyBinding[]; readonly isOfFrame: boolean }

/** All bindings that are in effect; a later layer covers an earlier one. */
export const keyLayers = createStore<readonly Layer[]>([])

/** Time in which the second key of a sequence must follow. */
const sequenceMs = 1_200

/**
 * Binds keys while the component is mounted; the bindings may change with each render. Those of the frame, which every page has,
 * are covered by those of the page.
 */
export function useKeys(bindings: readonly KeyBinding[], isOfFrame = false): void {
  const current = useRef(bindings)
  const layer = useRef<Layer>({
    get bindings() {
      return current.current
    },
    isOfFrame,
  })
  // Before the paint: a key pressed as soon as a row is seen acts on that row, however busy the machine is.
  useLayoutEffect(() => {
    current.current = bindings
  })
  useLayoutEffect(() => {
    const own = layer.current
    // Effects of children run first, so that the frame would come last.
    keyLayers.update((layers) => (own.isOfFrame ? [own, ...layers] : [...layers, own]))
    return () => keyLayers.update((layers) => layers.filter((other) => other !== own))
  }, [])
}

/** Listens to the keys of the whole document; called once. */
export function listenToKeys(target: Pick<Document, 'addEventListener'>): void {
  let prefix = { key: '', at: 0 }
  // The control that has the focus only because it was clicked, or from which a key of the page has gone on.
  let left: Element | null = null
  target.addEventListener('pointerdown', (event) => {
    left = findControl(event.target)
  })
  // A control to which the focus comes back from elsewhere is meant anew.
  target.addEventListener('focusin', (event) => {
    if (findControl(event.target) !== left) left = null
  })
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') left = null
    if (event.defaultPrevented || event.isComposing || isCovered(event.key)) return
    const control = findControl(event.target)
    // Enter presses the button that was reached by keyboard, and opens the current row otherwise.
    if ((event.key === 'Enter' || event.key === ' ') && control !== null && control !== left) return
    const pressed = printKey(event)
    const sequence = event.timeStamp - prefix.at < sequenceMs && prefix.key !== '' ? `${prefix.key} ${pressed}` : pressed
    // Within a shadow root, as of the editor, the target is its host.
    const isTyping = isField(event.composedPath()[0] ?? null)
    const binding = find(sequence, isTyping) ?? (sequence === pressed ? undefined : find(pressed, isTyping))
    prefix = { key: '', at: 0 }
    if (binding !== undefined) {
      event.preventDefault()
      left = control
      binding.run(event)
    } else if (!isTyping && isPrefix(pressed)) {
      prefix = { key: pressed, at: event.timeStamp }
    }
  })
}

function find(keys: string, isTyping: boolean): KeyBinding | undefined {
  const isSingle = !keys.includes('Mod+') && keys !== 'Escape'
  if (isSingle && !look.get().hasKeys) return undefined
  for (const { bindings } of keyLayers.get().toReversed()) {
    const found = bindings.find((binding) => binding.keys === keys && (!isTyping || binding.isGlobal === true))
    if (found !== undefined) return found
  }
  return undefined
}

function isPrefix(key: string): boolean {
  return look.get().hasKeys && keyLayers.get().some(({ bindings }) => bindings.some(({ keys }) => keys.startsWith(`${key} `)))
}

/** The name of a pressed key as bindings write it. */
function printKey({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const isLetter = /^[a-z]$/i.test(key)
  const name = isLetter ? key.toLowerCase() : key === ' ' ? 'Space' : key
  return [
    ctrlKey || metaKey ? 'Mod+' : '',
    altKey ? 'Alt+' : '',
    // A sign such as `?` needs Shift on some keyboards and not on others.
    shiftKey && (isLetter || key.length > 1) ? 'Shift+' : '',
    name,
  ].join('')
}

/** A modal dialog has its own keys, and Esc belongs to the menu that is open. */
function isCovered(key: string): boolean {
  return document.querySelector('dialog:modal') !== null || (key === 'Escape' && document.querySelector(':popover-open') !== null)
}

/** The control that Enter presses, if a target is one or is in one. */
function findControl(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('button, a[href], summary') : null
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}
