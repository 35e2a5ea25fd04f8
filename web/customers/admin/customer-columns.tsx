import { addDays, bahrainDate, daysBetween, formatDay } from '@qatra/contract/calendar/calendar'
import { telLink, whatsappLink } from '@qatra/contract/lib/phone'
import { isolated } from '@qatra/contract/lib/text'
import type { Customer } from '@qatra/contract/users/customers'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { dayOfYear, nearDay, today } from '../../ui/admin/day-words.ts'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Money, Phone } from '../../ui/Bidi.tsx'
import { CheckIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { useVendorColumn } from '../../users/admin/vendor-column.tsx'
import { TagMarks } from './Tags.tsx'

export function useCustomerColumns(): Column<Customer>[] {
  const { t, lang } = useLanguage()
  const vendors = useVendorColumn<Customer>(({ vendorIds }) => vendorIds, { from: 'xl', width: 140 })
  const day = (at: string | null) =>
    at === null ? (
      <span className="text-ink-3">{t('customers.never')}</span>
    ) : (
      formatDay(bahrainDate(new Date(at)), lang, 'medium')
    )
  return [
    {
      key: 'name',
      title: t('customers.name'),
      fixed: true,
      sortable: true,
      cell: ({ name, phone }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name ?? phone} size="small" />
          <bdi className="truncate font-strong">{name ?? t('customers.noName')}</bdi>
        </span>
      ),
    },
    { key: 'phone', title: t('customers.phone'), width: 150, cell: ({ phone }) => <Phone phone={phone} /> },
    ...vendors,
    { key: 'tags', title: t('customers.tags'), from: 'desk', width: 96, cell: ({ tags }) => <TagMarks tags={tags} /> },
    {
      key: 'consent',
      title: t('customers.consent'),
      from: 'xl',
      width: 110,
      cell: ({ marketingConsent }) =>
        marketingConsent ? (
          <span className="inline-flex items-center gap-1.5">
            <CheckIcon size={16} aria-hidden="true" className="text-aqua-ink" />
            {t('customers.consent.yes')}
          </span>
        ) : (
          <span className="text-ink-3">{t('customers.consent.no')}</span>
        ),
    },
    {
      key: 'lastOrderAt',
      title: t('customers.lastOrder'),
      sortable: true,
      width: 150,
      cell: ({ lastOrderAt }) => day(lastOrderAt),
    },
    {
      key: 'orderCount',
      title: t('customers.orders'),
      sortable: true,
      align: 'end',
      width: 90,
      cell: ({ orderCount }) => orderCount,
    },
    {
      key: 'spend',
      title: t('customers.spend'),
      sortable: true,
      align: 'end',
      width: 130,
      cell: ({ spend }) => <Money bhd={spend} className="font-strong" />,
    },
    {
      key: 'createdAt',
      title: t('customers.since'),
      sortable: true,
      hiddenAtFirst: true,
      width: 150,
      cell: ({ createdAt }) => day(createdAt),
    },
  ]
}

export function CustomerCard({ customer, isDue }: { customer: Customer; isDue: boolean }) {
  const { t } = useLanguage()
  const { name, phone, orderCount, spend, tags } = customer
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name ?? phone} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-strong">{name ?? t('customers.noName')}</bdi>
        <Phone phone={phone} className="text-ink-2" />
        {tags.length > 0 && <TagMarks tags={tags} />}
      </span>
      <span className="grid justify-items-end">
        {isDue ? <DueDay {...customer} /> : <Money bhd={spend} className="font-strong" />}
        <span className="text-caption text-ink-3">
          {isDue && customer.usualDays !== null
            ? t('customers.due.every', { count: customer.usualDays })
            : `${t('customers.orders')} ${orderCount}`}
        </span>
      </span>
    </span>
  )
}

/** `8 days late`, `today`, or the day. */
export function DueDay({ dueDate }: Pick<Customer, 'dueDate'>) {
  const { t, lang } = useLanguage()
  if (dueDate === null) return null
  const late = daysBetween(dueDate, today())
  const near = nearDay(dueDate)
  return (
    <span className={late > 0 ? 'font-strong text-clay' : late === 0 ? 'font-strong' : 'text-ink-2'}>
      {late > 0 ? t('customers.due.late', { count: late }) : near ? t(`admin.date.${near}`) : dayOfYear(dueDate, lang)}
    </span>
  )
}

/** What the office asks in the chat. */
export function useQuestion() {
  const t = useT()
  return ({ name, phone }: Customer) =>
    whatsappLink(phone, name === null ? t('customers.due.text') : t('customers.due.textTo', { name }))
}

/** Columns of customers who are due. */
export function useDueColumns(): Column<Customer>[] {
  const { t, lang } = useLanguage()
  const question = useQuestion()
  return [
    {
      key: 'usualDays',
      title: t('customers.due.usual'),
      width: 130,
      cell: ({ usualDays }) => usualDays !== null && t('customers.due.every', { count: usualDays }),
    },
    {
      key: 'lastDelivery',
      title: t('customers.due.last'),
      width: 130,
      cell: ({ dueDate, usualDays }) => dueDate && dayOfYear(addDays(dueDate, -(usualDays ?? 0)), lang),
    },
    {
      key: 'dueDate',
      title: t('customers.due.date'),
      sortable: true,
      width: 140,
      cell: (customer) => <DueDay {...customer} />,
    },
    {
      key: 'contact',
      title: t('customers.contact'),
      width: 110,
      cell: (customer) => {
        const name = isolated(customer.name ?? customer.phone)
        const [tel, chat] = [telLink(customer.phone), question(customer)]
        return (
          <span className="flex gap-1.5">
            {tel && (
              <a href={tel} className={contact} aria-label={t('customers.due.call', { name })}>
                <PhoneIcon size={18} aria-hidden="true" />
              </a>
            )}
            {chat && (
              <a
                href={chat}
                target="_blank"
                rel="noreferrer"
                className={contact}
                aria-label={t('customers.due.chat', { name })}
              >
                <WhatsAppIcon size={18} aria-hidden="true" />
              </a>
            )}
          </span>
        )
      },
    },
  ]
}
const contact = toolbarButtonClass(false, 'px-2')
