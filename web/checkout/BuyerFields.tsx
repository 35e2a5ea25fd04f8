import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { type BuyerName, buyerNames, changeFrom, companyNames, noteSums } from '@qatra/contract/orders/buyer'
import { mapKeys } from '@qatra/contract/orders/totals'
import type { User } from '@qatra/contract/users/auth'
import { useState } from 'react'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Chip, ChipRow } from '../ui/Chip.tsx'
import { TextField } from '../ui/Field.tsx'
import type { FieldErrors } from '../ui/form/form-errors.ts'
import { DownIcon } from '../ui/icons.tsx'

export type BuyerForm = { [name in BuyerName]: string } & {
  /** BHD in notes; null: no change needed. */
  payingWith: number | null
}

export const emptyBuyer: BuyerForm = { ...mapKeys(buyerNames, () => ''), payingWith: null }

type Known = { [name in BuyerName]?: string | null }

/** The facts of a company that an account or an earlier order has. */
export const companyOf = (known: Known | null) => mapKeys(companyNames, (name) => known?.[name] ?? '')

export const buyerOf = (form: BuyerForm) => ({
  ...mapKeys(buyerNames, (name) => form[name].trim() || null),
  payingWith: form.payingWith,
})

interface BuyerState {
  form: BuyerForm
  problems: FieldErrors<string>
  change(values: Partial<BuyerForm>): void
  /** Id of a field's control. */
  idOf(name: BuyerName): string
}

/** Whether the account or the form is of a company. */
export const isCompany = (form: BuyerForm, user: Pick<User, (typeof companyNames)[number]> | null) =>
  buyerNames.some((name) => form[name] !== '') || companyNames.some((name) => user?.[name])

/** Facts for the invoice of a company, folded. */
export function CompanyFields({ form, problems, change, idOf }: BuyerState) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const isWrong = buyerNames.some((name) => problems[name])
  return (
    <details
      className="group mt-3"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-tap cursor-pointer list-none items-center justify-between gap-3 rounded-m py-2.5 font-strong text-aqua-ink [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">
          {t('checkout.company')}
          {form.companyName && (
            <>
              {': '}
              <bdi>{form.companyName}</bdi>
            </>
          )}
        </span>
        <DownIcon
          size={20}
          aria-hidden="true"
          className="shrink-0 transition-transform duration-200 group-open:rotate-180"
        />
      </summary>
      <div className="grid items-start gap-x-3 gap-y-3.5 pt-1 pb-2 md:grid-cols-2">
        {buyerNames.map((name) => (
          <TextField
            key={name}
            id={idOf(name)}
            name={name}
            className={name === 'companyName' ? 'md:col-span-2' : undefined}
            label={t(`checkout.company.${name}`)}
            hint={name === 'vatNumber' ? t('checkout.company.vatHint') : undefined}
            ltr={name === 'crNumber' || name === 'vatNumber' || name === 'poNumber'}
            inputMode={name === 'vatNumber' ? 'numeric' : undefined}
            autoComplete={name === 'companyName' ? 'organization' : 'off'}
            maxLength={name === 'companyName' ? 200 : 100}
            value={form[name]}
            error={problems[name]}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
          />
        ))}
      </div>
    </details>
  )
}

interface ChangeProps extends Pick<BuyerState, 'form' | 'change'> {
  /** BHD */
  total: number
  className?: string
}

/** With which notes the customer pays, so that the driver brings change. */
export function ChangeChoice({ form: { payingWith }, change, total, className = '' }: ChangeProps) {
  const { t, lang } = useLanguage()
  const sums = noteSums(fromBhd(total))
  const back = changeFrom(payingWith, total)
  if (total <= 0) return null
  return (
    <div className={className}>
      <p className="mb-2 text-label font-strong">{t('checkout.change')}</p>
      <ChipRow label={t('checkout.change')} className="gap-2">
        <Chip chosen={back === 0} onClick={() => change({ payingWith: null })}>
          {t('checkout.change.none')}
        </Chip>
        {[...new Set([...sums, ...(back > 0 && payingWith !== null ? [payingWith] : [])])].map((sum) => (
          <Chip key={sum} chosen={back > 0 && sum === payingWith} onClick={() => change({ payingWith: sum })}>
            {t('checkout.change.from', { sum })}
          </Chip>
        ))}
      </ChipRow>
      <p role="status" className="mt-1.5 text-label text-ink-2 empty:hidden">
        {back > 0 && t('checkout.change.brings', { amount: formatMoney(fromBhd(back), lang) })}
      </p>
    </div>
  )
}
