import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import { type AccountSeverity, getAccount } from '@qatra/contract/whatsapp/connection/account'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../lib/api-client.ts'
import { type Translate, useLanguage } from '../../../lib/language/i18n.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { LoadFailed } from '../../../ui/admin/LoadFailed.tsx'
import { classes } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'

/** `TIER_2K` and the like as a number. */
function limitOf(tier: string, t: Translate): string {
  if (tier === 'TIER_UNLIMITED') return t('connection.account.unlimited')
  const [, digits, thousand] = /^(?:TIER_)?(\d+)(K?)$/.exec(tier) ?? []
  if (!digits) return tier
  return t('connection.account.perDay', { count: Number(digits) * (thousand ? 1_000 : 1) })
}

const colours: Record<AccountSeverity, string> = {
  info: 'bg-well text-ink-2',
  warning: 'bg-clay-soft text-clay',
  critical: 'bg-clay-soft text-clay',
}

/** Quality and limit of the number, and what Meta reported about the account. */
export function AccountPart() {
  const { t } = useLanguage()
  const { data, error, refetch } = useQuery(read(getAccount))
  return (
    <section>
      <h2 className="text-heading">{t('connection.account')}</h2>
      <p className="text-ink-2">{t('connection.account.hint')}</p>
      <div className="mt-3 max-w-150">
        {error && !data && <LoadFailed onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-12 w-full" />}
        {data && <AccountFacts account={data} />}
      </div>
    </section>
  )
}

export function AccountFacts({ account }: { account: Output<typeof getAccount> }) {
  const { t, lang } = useLanguage()
  return (
    <>
      <DescriptionList
        items={[
          [t('connection.account.tier'), account.tier ? limitOf(account.tier, t) : t('connection.account.unknown')],
          [
            t('connection.account.quality'),
            t(
              account.isFlagged === null
                ? 'connection.account.unknown'
                : account.isFlagged
                  ? 'connection.account.low'
                  : 'connection.account.good',
            ),
          ],
        ]}
      />
      {account.notices.length === 0 && <p className="mt-3 text-ink-2">{t('connection.account.none')}</p>}
      <ul className="mt-3 grid">
        {account.notices.map(({ id, event, severity, text, tier, at }) => (
          <li key={id} className="grid gap-0.5 border-b border-line py-2 last:border-b-0">
            <span className="flex flex-wrap items-baseline gap-x-2.5">
              <span className={classes('rounded-s px-2 text-caption', colours[severity])}>
                {t(`connection.account.${severity}`)}
              </span>
              <bdi dir="ltr" className="font-strong">
                {event}
              </bdi>
              <time dateTime={at} className="ms-auto text-caption text-ink-3">
                <bdi>{formatDateTime(new Date(at), lang)}</bdi>
              </time>
            </span>
            {(text ?? tier) && (
              <span dir="auto" className="text-as-page text-ink-2 wrap-break-word">
                {text ?? (tier && limitOf(tier, t))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
