import { countryName } from '@qatra/contract/lib/countries'
import {
  getSettings,
  type MessagePrices,
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

/** What WhatsApp charges for a thousand messages, for the estimates of campaigns. */
export function MessagePricesForm({ settings }: { settings: Settings }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
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
  return (
    <Form form={form} label={t('settings.prices')}>
      <FieldSet legend={t('settings.prices')}>
        <p className="text-ink-2">{t('settings.prices.hint')}</p>
        {priceCountryNames.map((country) => (
          <fieldset key={country} className="grid gap-2">
            <legend className="font-strong">
              {country === 'other' ? t('settings.prices.other') : countryName(country, lang)}
            </legend>
            <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-3">
              {priceCategories.map((category) => {
                const name = `${country}.${category}` as const
                return <MoneyField key={category} label={t(`settings.prices.${category}`)} {...form.field(name)} />
              })}
            </div>
          </fieldset>
        ))}
      </FieldSet>
      <div className="flex justify-end border-t border-line py-3">
        <Button type="submit" tone="aqua" busy={form.busy}>
          {t('settings.prices.save')}
        </Button>
      </div>
    </Form>
  )
}
