/** The drop, and the drop with the name beside it. Both take their colours from the surface they stand on. */
export function Mark({ size = 34 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <use href="/mark.svg#mark" />
    </svg>
  )
}

export function Wordmark({ lang }: { lang: 'ar' | 'en' }) {
  const [viewBox, width] = lang === 'ar' ? ['-2 -27 64 36', 52] : ['0 -27 74 36', 60]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Mark />
      <svg width={width} height={29} viewBox={viewBox} aria-hidden="true">
        <use href={`/mark.svg#word-${lang}`} />
      </svg>
    </span>
  )
}
