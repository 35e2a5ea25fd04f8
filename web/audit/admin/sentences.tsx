import type { AuditEntry } from '@qatra/contract/audit'
import { formatPhone } from '@qatra/contract/lib/phone'
import { isolated } from '@qatra/contract/lib/text'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { orderStatuses, paymentStatuses } from '@qatra/contract/orders/order-status'
import { presets } from '@qatra/contract/users/permissions'
import { roles } from '@qatra/contract/users/roles'
import type { ReactNode } from 'react'
import { useInLang } from '../../app/names.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { fieldText, plainText, wordsFor } from './values.ts'

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value)

/** Describes an entry in one sentence. */
export function useSentence() {
  const t = useT()
  const inLang = useInLang()
  return ({ action, resource, resourceId, title, titleAr }: AuditEntry): string => {
    const what = wordsFor(t, `audit.resource.${resource}`) ?? t('audit.resource.other')
    const name =
      resource === 'order' && resourceId ? formatOrderId(resourceId) : inLang(title, titleAr) || (resourceId ?? '')
    const file = resource === 'export' ? wordsFor(t, `audit.export.${resourceId}`) : null
    const thing = file ?? `${what} ${isolated(name)}`.trim()
    return wordsFor(t, `audit.did.${action}`, { thing }) ?? t('audit.did.other', { thing, action })
  }
}

/** Formats a value for display. */
export function useValueText() {
  const { t, lang } = useLanguage()
  const { nameOf } = useVendorNames()
  return function text(resource: string, field: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('audit.empty.value')
    if (value === true || value === 'true') return t('audit.yes')
    if (value === false || value === 'false') return t('audit.no')
    if (value === 'changed') return t('audit.changed')
    const isCampaigns = resource === 'campaign' && field === 'status' && typeof value === 'string'
    const campaign = isCampaigns ? wordsFor(t, `audit.campaign.${value}`) : null
    if (campaign) return campaign
    if (field === 'status' && isOneOf(orderStatuses, value)) return t(`admin.status.${value}`)
    if (field === 'paymentStatus' && isOneOf(paymentStatuses, value)) return t(`admin.payment.${value}`)
    if (isOneOf(['role', 'preset'], field) && isOneOf([...roles, ...presets], value)) return t(`admin.role.${value}`)
    if (field === 'vendorId' && Number(value) > 0) return nameOf(Number(value))
    if (field === 'resource') return wordsFor(t, `audit.resource.${String(value)}`) ?? String(value)
    if (field === 'action') return wordsFor(t, `audit.did.${String(value)}`, { thing: '…' }) ?? String(value)
    if (Array.isArray(value)) {
      return value.length === 0
        ? t('audit.empty.value')
        : value.map((one) => isolated(text(resource, field, one))).join(' · ')
    }
    if (typeof value === 'object') {
      const parts = Object.entries(value).map(([name, part]) => `${fieldText(t, name)}: ${text(resource, name, part)}`)
      return parts.join(' · ')
    }
    return plainText(t, lang, field, value as string | number) ?? String(value)
  }
}

interface ChangeProps {
  resource: string
  change: AuditEntry['changes'][number]
}

/** `old → new`; without an old value only the new one. */
export function Change({ resource, change: { field, from, to } }: ChangeProps): ReactNode {
  const { t, lang } = useLanguage()
  const text = useValueText()
  return (
    <span className="wrap-break-word">
      <span className="text-ink-3">{fieldText(t, field)}: </span>
      {from !== null && (
        <>
          <bdi className="text-ink-2">{text(resource, field, from)}</bdi>
          <span aria-hidden="true" className="mx-1.5 text-ink-3">
            {lang === 'ar' ? '←' : '→'}
          </span>
          <span className="sr-only"> / </span>
        </>
      )}
      <bdi>{text(resource, field, to)}</bdi>
    </span>
  )
}

export const nameOfPerson = (person: NonNullable<AuditEntry['user']>) => person.name ?? formatPhone(person.phone)

/** The person who acted, and whom they impersonated. */
export function Authors({ entry: { user, onBehalfOf, key } }: { entry: AuditEntry }) {
  const t = useT()
  return (
    <span className="min-w-0">
      {user ? (
        <bdi className="block truncate font-strong">{nameOfPerson(user)}</bdi>
      ) : (
        <span className="text-ink-3">{t('audit.nobody')}</span>
      )}
      {key && <span className="block text-caption text-ink-2">{t('audit.byKey', { name: isolated(key.name) })}</span>}
      {onBehalfOf && (
        <span className="block text-caption text-ink-2">
          {t('audit.behalf', { name: isolated(nameOfPerson(onBehalfOf)) })}
        </span>
      )}
    </span>
  )
}
