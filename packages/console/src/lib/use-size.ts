import { useCallback, useState } from 'react'

/** The content size of an element, followed by a ResizeObserver. */
export function useSize<Target extends Element>(): readonly [ref: (element: Target | null) => (() => void) | undefined, size: Size] {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const ref = useCallback((element: Target | null) => {
    if (element === null) return undefined
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}

type Size = { readonly width: number; readonly height: number }
