import { formatDay } from '@qatra/contract/calendar/calendar'
import { countryName } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import {
  getSettings,
  listPriceOf,
  type MessagePrices,
  metaPrices,
  type PriceCategory,
  type PriceCountry,
  priceCategories,
  priceCountryNames,
  type Settings,
  saveSettings,
} from '@qatra/contract/settings/settings'
import { useQueryClient } from '@tanstack/react-query'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { FieldSet, Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { toast } from '../../ui/Toast.tsx'
import { bodyOf, valuesOf } from './settings-values.ts'

type Name = `${PriceCountry}.${PriceCategory}`
type Values = Record<Name, number | null>

const names = priceCountryNames.flatMap((country) =>
  priceCategories.map((category) => ({ country, category, name: `${country}.${category}` as const })),
)
const pricesOf = (prices: MessagePrices) =>
  Object.fromEntries(names.map(({ country, category, name }) => [name, prices[country]?.[category] ?? null])) as Values // one entry for each name

/** Prices without empty ones. */
const fromValues = (values: Values): MessagePrices =>
  Object.fromEntries(
    priceCountryNames.map((country) => [
      country,
      Object.fromEntries(
        priceCategories.flatMap((category) => {
          const price = values[`${country}.${category}`]
          return price === null ? [] : [[category, price]]
        }),
      ),
    ]),
  )

/** A country with its prices. */
const row = 'grid items-start gap-x-4 gap-y-2 sm:grid-cols-[8.5rem_repeat(3,minmax(0,1fr))]'

/** What WhatsApp charges for a thousand messages, for the estimates of campaigns. */
export function MessagePricesForm({ settings }: { settings: Settings }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const day = (date: string) => formatDay(date, lang, 'medium')
  const form = useForm({
    body: saveSettings.body,
    start: pricesOf(settings.messagePrices),
    toBody: (values) => ({ ...bodyOf(valuesOf(settings), settings.version), messagePrices: fromValues(values) }),
    fieldAt: (path) => names.find(({ name }) => `messagePrices.${name}` === path.join('.'))?.name ?? null,
    send: (body) => call(saveSettings, { body }),
    onSaved: (saved) => {
      toast({ title: t('settings.prices.saved') })
      queries.setQueryData(read(getSettings).queryKey, saved)
    },
  })
  function hintFor(country: PriceCountry, category: PriceCategory): string {
    const listed = listPriceOf(country, category)
    if (listed !== undefined) return t('settings.prices.listed', { price: formatMoney(fromBhd(listed), lang) })
    const hasOther = country !== 'other' && form.values[`other.${category}`] !== null
    return t(hasOther ? 'settings.prices.asOther' : 'settings.prices.unlisted')
  }
  return (
    <Form form={form} label={t('settings.prices')}>
      <FieldSet legend={t('settings.prices')}>
        <p className="text-ink-2">
          {t('settings.prices.hint')}{' '}
          {t('settings.prices.source', { from: day(metaPrices.effectiveFrom), read: day(metaPrices.readOn) })}{' '}
          <a href={metaPrices.source} target="_blank" rel="noreferrer" className="text-aqua-ink hover:underline">
            <bdi dir="ltr">{new URL(metaPrices.source).host}</bdi>
          </a>
        </p>
        <p className="rounded-m bg-well px-3.5 py-2.5">
          {t('settings.prices.newer', { from: day(metaPrices.newerFrom) })}
        </p>
        <div className="grid gap-4 sm:gap-2">
          <div aria-hidden="true" className={classes(row, 'text-label font-strong max-sm:hidden')}>
            <span />
            {priceCategories.map((category) => (
              <span key={category}>{t(`settings.prices.${category}`)}</span>
            ))}
          </div>
          {priceCountryNames.map((country) => {
            const name = country === 'other' ? t('settings.prices.other') : countryName(country, lang)
            return (
              <div key={country} role="group" aria-label={name} className={row}>
                <span className="font-strong sm:pt-3">{name}</span>
                {priceCategories.map((category) => (
                  <MoneyField
                    key={category}
                    label={t(`settings.prices.${category}`)}
                    className="sm:[&>label]:sr-only"
                    hint={hintFor(country, category)}
                    {...form.field(`${country}.${category}`)}
                  />
                ))}
              </div>
            )
          })}
        </div>
      </FieldSet>
      <div className="flex justify-end border-t border-line py-3">
        <Button type="submit" tone="aqua" busy={form.busy}>
          {t('settings.prices.save')}
        </Button>
      </div>
    </Form>
  )
}
