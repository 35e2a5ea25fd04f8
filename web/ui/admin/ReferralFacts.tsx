import type { Referral } from '@qatra/contract/users/referral'
import { useT } from '../../lib/language/i18n.tsx'

/** The ad or post that a customer or an order came from. */
export function ReferralFacts({ referral }: { referral: Referral }) {
  const t = useT()
  const { sourceType, sourceUrl, sourceId, headline, body } = referral
  const title = headline ?? sourceId ?? '—'
  return (
    <div className="leading-normal">
      <p className="text-caption text-ink-3">
        {t(sourceType === 'post' ? 'admin.referral.post' : 'admin.referral.ad')}
      </p>
      <p dir="auto" className="text-as-page font-strong wrap-break-word">
        {sourceUrl ? (
          <a href={sourceUrl} target="_blank" rel="noreferrer" className="text-aqua-ink hover:underline">
            {title}
          </a>
        ) : (
          title
        )}
      </p>
      {body && (
        <p dir="auto" className="text-as-page line-clamp-3 text-ink-2 wrap-break-word">
          {body}
        </p>
      )}
    </div>
  )
}
