import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

/** A PNG in base64. It is drawn, because pages of the console load pictures from the server alone. */
export function PngPicture({ png, label, className, unreadable }: {
  readonly png: string
  readonly label: string
  readonly className: string | undefined
  /** What stands in its place where it cannot be read. */
  readonly unreadable: ReactNode
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isUnreadable, setIsUnreadable] = useState(false)
  useEffect(() => {
    let isGone = false
    const draw = (picture: ImageBitmap | undefined): void => {
      if (isGone) return
      setIsUnreadable(picture === undefined)
      if (picture === undefined || canvas.current === null) return
      canvas.current.width = picture.width
      canvas.current.height = picture.height
      canvas.current.getContext('2d')?.drawImage(picture, 0, 0)
    }
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
    createImageBitmap(new Blob([bytes], { type: 'image/png' })).then(draw, () => draw(undefined))
    return () => void (isGone = true)
  }, [png])
  return (
    <>
      {isUnreadable && unreadable}
      <canvas ref={canvas} className={className} hidden={isUnreadable} role="img" aria-label={label} />
    </>
  )
}
