import { useEffect, useId } from 'react'
import { createStore } from '../lib/store.ts'

/** Something that the palette offers: a page, or an action of the page that is open. */
export type Command = { readonly label: string; readonly run: () => void; readonly keys?: string | undefined }

/** The actions of the open page, by who offers them. */
export const pageCommands = createStore<ReadonlyMap<string, readonly Command[]>>(new Map())

/** Offers actions in the palette while the component is mounted; pass the same array while nothing changes. */
export function useCommands(commands: readonly Command[]): void {
  const id = useId()
  useEffect(() => {
    pageCommands.update((all) => new Map(all).set(id, commands))
    return () => pageCommands.update((all) => new Map([...all].filter(([owner]) => owner !== id)))
  }, [id, commands])
}
