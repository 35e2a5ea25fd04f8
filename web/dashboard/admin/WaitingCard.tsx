import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { waitingOrders } from '@qatra/contract/dashboard/links'
import { formatCount } from '@qatra/contract/lib/digits'
import { Link } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { EndIcon } from '../../ui/icons.tsx'
import { Card } from './Card.tsx'
import { OrdersLink } from './links.tsx'

const line = 'flex min-h-11 items-center gap-3 rounded-s hover:bg-well'

/** Items that need an action, independent of the period. */
export function WaitingCard({ seen, className }: { seen: Dashboard; className?: string }) {
  const t = useT()
  const { most, ...counts } = seen.waiting
  const inside = (kind: keyof typeof counts) => (
    <>
      <b className="grid h-7.5 min-w-7.5 place-items-center rounded-[9px] bg-well px-1.5">
        <bdi>{counts[kind] >= most ? `${formatCount(most)}+` : formatCount(counts[kind])}</bdi>
      </b>
      <span className="flex-1">{t(`dashboard.waiting.${kind}`, { count: counts[kind] })}</span>
      <EndIcon size={18} aria-hidden="true" className="text-ink-3" />
    </>
  )
  const off = { state: 'inactive', vendor: seen.vendorId ?? undefined }
  return (
    <Card title={t('dashboard.waiting')} {...(className ? { className } : {})}>
      <ul className="*:border-b *:border-line *:last:border-0">
        {(['new', 'withoutDriver', 'late', 'failed', 'due'] as const).map((kind) => (
          <li key={kind}>
            <OrdersLink orders={waitingOrders[kind](seen)} className={line}>
              {inside(kind)}
            </OrdersLink>
          </li>
        ))}
        <li>
          <Link to="/admin/products" search={off} className={line}>
            {inside('productsOff')}
          </Link>
        </li>
      </ul>
    </Card>
  )
}
