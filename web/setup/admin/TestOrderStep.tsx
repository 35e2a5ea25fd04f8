import { deleteTestOrder, placeTestOrder, type SetupItem } from '@qatra/contract/settings/setup'
import { listManagedVendors } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { renewNavCount } from '../../notifications/admin/follow.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Problem } from './AreasStep.tsx'
import { leaveForStep } from './BackToSetup.tsx'

/** Places the test order of a chosen vendor; deletes it again. */
export function TestOrderStep({ item, isReady }: { item: SetupItem; isReady: boolean }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const { data: vendors } = useQuery({
    ...read(listManagedVendors, { query: { limit: 100 } }),
    refetchOnMount: 'always',
  })
  const sellers = vendors?.items.filter(({ isActive, productCount, areaIds }) => {
    return isActive && productCount > 0 && areaIds.length > 0
  })
  const [vendorId, setVendorId] = useState<number | null>(null)
  const chosen = vendorId ?? sellers?.[0]?.id ?? null
  const { busy, problem, run } = useAction(({ code }) =>
    t(
      code === 'ORDER_EMPTY' || code === 'PRODUCT_UNAVAILABLE'
        ? 'setup.testOrder.noProduct'
        : code === 'VENDOR_DOES_NOT_DELIVER'
          ? 'setup.testOrder.noArea'
          : 'setup.failed',
    ),
  )
  /** Every list and figure may have shown the order. */
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/api/admin/') }),
      renewNavCount({ role: 'super_admin', readsInbox: true }),
    ])
  const place = (id: number) =>
    run(async () => {
      await call(placeTestOrder, { body: { vendorId: id } })
      toast({ title: t('setup.testOrder.placed') })
      await refresh()
    })
  const remove = () =>
    run(async () => {
      await call(deleteTestOrder, {})
      toast({ title: t('setup.testOrder.deleted') })
      await refresh()
    })
  if (item.count)
    return (
      <>
        <p role="status">{t('setup.testOrder.exists')}</p>
        <Problem words={problem} />
        <div className="flex flex-wrap gap-2.5">
          <Link to={item.link as '/admin'} className={buttonClass('aqua')} onClick={() => leaveForStep('testOrder')}>
            {t('setup.testOrder.open')}
          </Link>
          <Button tone="danger" busy={busy} onClick={() => void remove()}>
            {t('setup.testOrder.delete')}
          </Button>
        </div>
      </>
    )
  return (
    <>
      <Problem words={problem} />
      <div className="grid max-w-90 gap-4">
        {sellers && sellers.length > 0 && (
          <SelectField<number>
            label={t('setup.testOrder.vendor')}
            name="vendorId"
            value={chosen}
            options={sellers.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
            onChange={setVendorId}
          />
        )}
        <div>
          <Button
            tone={item.done ? 'quiet' : 'aqua'}
            busy={busy}
            reason={isReady && chosen !== null ? null : t('setup.testOrder.noVendor')}
            onClick={() => chosen !== null && void place(chosen)}
          >
            {t('setup.testOrder.place')}
          </Button>
        </div>
      </div>
    </>
  )
}
