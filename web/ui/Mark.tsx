/** The logo, and the logo with the name. Both take their colours from the surface. */
export function Mark({ size = 34 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <use href="/mark.svg#mark" />
    </svg>
  )
}

export function Wordmark({ lang }: { lang: 'ar' | 'en' }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Mark />
      <svg width={lang === 'ar' ? 52 : 60} height={29} aria-hidden="true">
        <use href={`/mark.svg#word-${lang}`} />
      </svg>
    </span>
  )
}
