import { useLanguage } from '../../lib/language/i18n.tsx'
import { Wordmark } from '../../ui/Mark.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** Skeleton of the admin area until the rights are known. The server sends it too. */
export function AdminChecking() {
  const { t, lang } = useLanguage()
  return (
    <div className="admin min-h-dvh md:grid md:grid-cols-[64px_minmax(0,1fr)] desk:grid-cols-[208px_minmax(0,1fr)]">
      <div className="hidden flex-col gap-2 bg-well px-3 py-4.5 md:flex">
        <span className="mb-2.5 hidden px-2 desk:block">
          <Wordmark lang={lang} />
        </span>
        {[0, 1, 2, 3, 4, 5, 6].map((line) => (
          <Skeleton key={line} className="my-1.5 h-6.5" />
        ))}
      </div>
      <main id="main" className="grid place-items-center p-6" aria-busy="true">
        <p role="status" className="text-ink-2">
          {t('admin.checking')}
        </p>
      </main>
    </div>
  )
}
