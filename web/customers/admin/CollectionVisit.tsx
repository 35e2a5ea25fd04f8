import { formatDay } from '@qatra/contract/calendar/calendar'
import { listDrivers } from '@qatra/contract/drivers'
import { holds } from '@qatra/contract/users/permissions'
import { cancelVisit, changeVisit, createVisit, listVisits } from '@qatra/contract/visits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { Button } from '../../ui/Button.tsx'

interface CollectionVisitProps {
  customerId: number
  vendorId: number
  addressId: number | null
}

/** The open visits of a customer, with their drivers; without one, a button that plans the collection of empties. */
export function CollectionVisit({ customerId, vendorId, addressId }: CollectionVisitProps) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const held = useUser()?.permissions ?? []
  const query = { customerId: String(customerId), vendorId: String(vendorId) }
  const { data } = useQuery(read(listVisits, { query }))
  const { data: drivers = [] } = useQuery(read(listDrivers, { query: { vendorId: String(vendorId) } }))
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'heldBottles'))
  const send = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      await queries.invalidateQueries({ queryKey: [listVisits.path] })
    })
  if (!data || !holds(['orders.assign', 'orders.status'], held)) return null
  const mayPlan = !data.items.some(({ kind }) => kind === 'collect-bottles')
  const body = { kind: 'collect-bottles' as const, vendorId, customerId, addressId }
  return (
    <section aria-label={t('heldBottles.visits')} className="grid gap-3 border-b border-line px-5 py-4">
      {data.items.map((visit) => {
        const params = { id: String(visit.id) }
        return (
          <div key={visit.id} className="grid gap-2">
            <p>
              <b className="font-strong">{t(`heldBottles.visit.${visit.kind}`)}</b>{' '}
              {formatDay(visit.date, lang, 'long')}
              {visit.isRequested && (
                <span className="block text-caption text-ink-3">{t('heldBottles.visitAsked')}</span>
              )}
              {visit.note && (
                <span dir="auto" className="block text-ink-2">
                  {visit.note}
                </span>
              )}
            </p>
            <SelectField
              label={t('heldBottles.visitDriver')}
              placeholder={t('heldBottles.noDriver')}
              value={visit.driver?.id ?? null}
              readOnly={busy}
              options={drivers.map(({ id, name, phone }) => ({ value: id, label: name ?? phone }))}
              onChange={(driverId) => void send(() => call(changeVisit, { params, body: { driverId } }))}
            />
            <Button
              tone="link"
              className="justify-self-start px-0!"
              onClick={() => void send(() => call(cancelVisit, { params }))}
            >
              {t('heldBottles.cancelVisit')}
            </Button>
          </div>
        )
      })}
      {mayPlan && (
        <Button busy={busy} onClick={() => void send(() => call(createVisit, { body }))}>
          {t('heldBottles.collect')}
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
    </section>
  )
}
