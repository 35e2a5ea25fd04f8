import { useT } from '../lib/language/i18n.tsx'

export function InvitationBanner({ count }: { count: number }) {
  const t = useT()
  return (
    <section
      aria-label={t('invitations.title')}
      className="deep no-print flex min-h-14 items-center gap-3 px-4 py-1.5 text-label"
    >
      <p className="min-w-0 flex-1 font-strong">{t('invitations.banner', { count })}</p>
      {/* A plain link: it also leads from the admin area, which is another document. */}
      <a
        href="/invitations"
        className="grid min-h-tap flex-none place-items-center rounded-m bg-aqua px-4 font-strong text-on-aqua hover:bg-aqua-press focus-visible:outline-on-deep-aqua"
      >
        {t('invitations.look')}
      </a>
    </section>
  )
}
