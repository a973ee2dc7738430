import { useEffect, useState } from 'react'

/** Whether a value has stayed the same for a time; the first one after none counts at once. */
export function useRested(value: string | undefined, restMs: number): boolean {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    if (rested === value) return undefined
    const timer = setTimeout(() => setRested(value), value === undefined || rested === undefined ? 0 : restMs)
    return () => clearTimeout(timer)
  }, [rested, value, restMs])
  return rested === value || rested === undefined
}
