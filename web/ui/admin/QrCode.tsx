import { useMemo } from 'react'
import { encode } from 'uqr'

/** Quiet zone in modules, required by the QR standard. */
const QUIET = 4

/** QR code, dark on white in both themes, because phones cannot read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { ecc: 'M', border: 0 })
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
    )
    return { size: data.length + 2 * QUIET, path: squares.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-66 rounded-m"
    >
      <rect width={size} height={size} className="fill-on-deep" />
      <path d={path} className="fill-gulf-deep" />
    </svg>
  )
}
