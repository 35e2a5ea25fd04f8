import { mayOpen } from '@qatra/contract/admin'
import {
  addBottleEntry,
  type BottleEntryKind,
  type BottleMovement,
  bottleEntryKinds,
  listBottleEntries,
  listBottles,
} from '@qatra/contract/bottles-admin'
import { formatCount } from '@qatra/contract/lib/digits'
import { fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { holds } from '@qatra/contract/users/permissions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { dayOfYear } from '../../ui/admin/day-words.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField, NumberField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { PeopleIcon } from '../../ui/admin/icons.ts'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarLink } from '../../ui/admin/ToolbarButton.tsx'
import { Money, OrderId, Phone } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/Toast.tsx'
import { daysIdle } from './bottle-columns.tsx'
import { CollectionVisit } from './CollectionVisit.tsx'

interface Of {
  customerId: number
  typeId: number
}
const entriesQuery = (of: Of) => read(listBottleEntries, { query: of })

/** Bottles of one customer and type beside the list: what is held, how it moved, and an entry by hand. */
export function BottlesPanel({ customerId, typeId, onClose }: Of & { onClose(): void }) {
  const { t } = useLanguage()
  const { data: moved, error } = useQuery(entriesQuery({ customerId, typeId }))
  const { data: places } = useQuery(read(listBottles, { query: { customerId, typeId } }))
  const [row] = places?.items ?? []
  const name = row?.name ?? row?.phone ?? t('heldBottles.erased')
  const days = daysIdle(row?.lastOrderAt ?? null)
  return (
    <SidePanel
      label={places ? name : t('heldBottles.customer')}
      title={places ? <bdi>{name}</bdi> : <Skeleton className="h-6 w-40" />}
      onClose={onClose}
      head={
        row && (
          <>
            <p className="mt-1 text-ink-2">
              {row.address && <bdi>{row.address}</bdi>} {row.phone && <Phone phone={row.phone} />}
            </p>
            <Acts customerId={customerId} name={row.name} phone={row.phone} count={moved?.balance.count ?? row.count} />
          </>
        )
      }
    >
      {error && !moved && (
        <p role="alert" className="px-5 py-4 text-clay">
          {refusalText(t, error, 'heldBottles')}
        </p>
      )}
      {row && <CollectionVisit customerId={customerId} vendorId={row.vendorId} addressId={row.addressId} />}
      {moved && (
        <>
          <PanelPart>
            <dl className="grid grid-cols-3 gap-3">
              <Figure term={t('heldBottles.count')}>{formatCount(moved.balance.count)}</Figure>
              <Figure term={t('heldBottles.held')}>
                <Money bhd={moved.balance.depositHeld} />
                {moved.balance.credit !== 0 && (
                  <span className="block text-caption font-regular text-ink-3">
                    {t(moved.balance.credit > 0 ? 'heldBottles.credit' : 'heldBottles.owed')}{' '}
                    <Money bhd={Math.abs(moved.balance.credit)} />
                  </span>
                )}
              </Figure>
              <Figure term={t('heldBottles.idleFor')}>
                {days === null ? t('heldBottles.neverOrdered') : t('heldBottles.days', { count: days })}
              </Figure>
            </dl>
          </PanelPart>
          <PanelPart title={t('heldBottles.movements')}>
            <ul className="grid">
              {moved.items.map((movement) => (
                <Movement key={movement.id} movement={movement} />
              ))}
            </ul>
          </PanelPart>
          <Entry of={{ customerId, typeId }} balance={moved.balance} addressId={row?.addressId ?? null} />
        </>
      )}
    </SidePanel>
  )
}

interface ActsProps {
  customerId: number
  name: string | null
  phone: string | null
  count: number
}

function Acts({ customerId, name, phone, count }: ActsProps) {
  const { t } = useLanguage()
  const user = useUser()
  if (phone === null) return null
  const tel = telLink(phone)
  const chat = whatsappLink(phone, t('heldBottles.reminder', { name: name ?? '', count }))
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {chat && (
        <ToolbarLink icon={WhatsAppIcon} href={chat} target="_blank" rel="noreferrer">
          {t('heldBottles.remind')}
        </ToolbarLink>
      )}
      {tel && (
        <ToolbarLink icon={PhoneIcon} href={tel}>
          {t('heldBottles.call')}
        </ToolbarLink>
      )}
      {mayOpen('/admin/customers', user) && (
        <ToolbarLink icon={PeopleIcon} href={`/admin/customers?open=${customerId}`}>
          {t('heldBottles.toCustomer')}
        </ToolbarLink>
      )}
    </div>
  )
}

function Figure({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-ink-3">{term}</dt>
      <dd className="font-strong text-gulf">{children}</dd>
    </div>
  )
}

function Movement({ movement }: { movement: BottleMovement }) {
  const { t, lang } = useLanguage()
  const { kind, count, after, day, orderId, reason, by, deposit, vat } = movement
  // Of the door: bottles that gave nothing back.
  const [, broken = 0, foreign = 0] = (/^broken=(\d+) foreign=(\d+)$/.exec(reason ?? '') ?? []).map(Number)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line py-2 last:border-b-0">
      <span>
        {t(kind === 'lost' && count > 0 ? 'heldBottles.moved.found' : `heldBottles.moved.${kind}`, {
          count: kind === 'correction' ? count : Math.abs(count),
        })}
        {broken > 0 && ` · ${t('heldBottles.broken', { count: broken })}`}
        {foreign > 0 && ` · ${t('heldBottles.foreign', { count: foreign })}`}
      </span>
      <bdi className="text-end font-strong">{formatCount(after)}</bdi>
      <span className="min-w-0 text-caption text-ink-3">
        {orderId && (
          <a href={`/admin/orders/${orderId}`} className="text-aqua-ink hover:underline">
            <OrderId id={orderId} />
          </a>
        )}
        {reason && broken + foreign === 0 && <bdi>{reason}</bdi>}
        {by && (
          <>
            {' · '}
            <bdi>{by}</bdi>
          </>
        )}
        {kind === 'lost' && deposit !== 0 && (
          <span className="block">
            {t('heldBottles.income')} <Money bhd={-deposit} />
            {vat !== 0 && (
              <>
                {' '}
                · {t('heldBottles.vat')} <Money bhd={vat} />
              </>
            )}
          </span>
        )}
      </span>
      <span className="text-caption text-ink-3">{dayOfYear(day, lang)}</span>
    </li>
  )
}

interface EntryProps {
  of: Of
  balance: { count: number; depositHeld: number }
  addressId: number | null
}

const newKey = () => crypto.randomUUID()

/** What the office enters. It is never changed, only corrected by another entry. */
function Entry({ of, balance, addressId }: EntryProps) {
  const { t } = useLanguage()
  const user = useUser()
  const queries = useQueryClient()
  const { data: types = [] } = useQuery(read(listBottleTypes))
  const [kind, setKind] = useState<BottleEntryKind>('returned')
  // A repeated press of the same entry is written once.
  const [key, setKey] = useState(newKey)
  const held = user?.permissions ?? []
  const kinds = bottleEntryKinds.filter(
    (one) => (one !== 'lost' && one !== 'correction') || holds(['bottles.write-off'], held),
  )
  const form = useForm({
    body: addBottleEntry.body,
    start: { count: null as number | null, deposit: null as number | null, reason: '' },
    toBody: ({ count, deposit, reason }) => ({
      ...of,
      addressId,
      kind,
      count: count ?? 0,
      ...(kind === 'opening' && deposit !== null && { deposit }),
      reason,
      key,
    }),
    send: (body) => call(addBottleEntry, { body }),
    onSaved: ({ balance: after }) => {
      setKey(newKey())
      form.reset({ count: null, deposit: null, reason: '' })
      void queries.invalidateQueries({ queryKey: [listBottles.path] })
      void queries.invalidateQueries({ queryKey: [listBottleEntries.path] })
      toast({ title: t('heldBottles.saved', { count: after.count }) })
    },
    failureOf: (error) => refusalText(t, error, 'heldBottles'),
  })
  if (!holds(['orders.status'], held)) return null
  const type = types.find(({ id }) => id === of.typeId)
  const count = form.values.count ?? 0
  const change = kind === 'returned' || kind === 'lost' ? -count : count
  const forfeited = Math.min(
    fromBhd(type?.deposit ?? 0) * count,
    Math.max(0, fromBhd(Math.max(0, balance.depositHeld))),
  )
  return (
    <section className="bg-well px-5 py-4">
      <h3 className="mb-3 text-heading">{t('heldBottles.entry')}</h3>
      <Form form={form} label={t('heldBottles.entry')}>
        <Segmented<BottleEntryKind>
          label={t('heldBottles.kind')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`heldBottles.kind.${value}`) }))}
          onChange={setKind}
        />
        <NumberField
          label={t(
            kind === 'correction'
              ? 'heldBottles.howManyMore'
              : kind === 'lost'
                ? 'heldBottles.howManyLost'
                : 'heldBottles.howMany',
          )}
          {...form.field('count')}
        />
        {kind === 'opening' && <MoneyField label={t('heldBottles.paidDeposit')} {...form.field('deposit')} />}
        <TextField label={t('heldBottles.reason')} dir="auto" maxLength={500} {...form.text('reason')} />
        {count !== 0 && Number.isInteger(count) && (
          <p className="text-ink-2">
            {t('heldBottles.after', { count: balance.count + change })}{' '}
            {kind === 'lost' && count < 0 && t('heldBottles.found')}
            {kind === 'lost' && count > 0 && (
              <>
                {t('heldBottles.forfeits')} <Money bhd={toBhd(fils(forfeited))} />
              </>
            )}
          </p>
        )}
        <Button type="submit" tone="aqua" busy={form.busy}>
          {t(`heldBottles.save.${kind}`)}
        </Button>
        <p className="text-caption text-ink-3">
          {t('heldBottles.entry.hint', { name: user?.name ?? user?.phone ?? '' })}
        </p>
      </Form>
    </section>
  )
}
