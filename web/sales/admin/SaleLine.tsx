import { formatMoney, fromBhd, isWholeFils, partOf, timesFils, toBhd } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'
import { formatSize } from '@qatra/contract/products/sizes'
import type { KeyboardEvent } from 'react'
import { useNameIn } from '../../app/names.ts'
import { LineBottles } from '../../cart/LineBottles.tsx'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { MoneyField, numberIn } from '../../ui/admin/form/fields.tsx'
import { Money, UnitOf } from '../../ui/Bidi.tsx'
import { TextField } from '../../ui/Field.tsx'
import { BinIcon, EditIcon, WarningIcon } from '../../ui/icons.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import type { SaleLine as Line } from './draft.ts'
import { fieldId, focusSoon } from './focus.ts'
import { adderId } from './ids.ts'
import type { Sale } from './use-sale.ts'

interface SaleLineProps {
  sale: Sale
  line: Line
  /** Empty bottles that are given back; null without a bottle that comes back. */
  empties: number | null
  held: number | null
  at: number
  product: Product
  tint: string | null
  /** Minimum price in percent of the shop's price; null if the vendor set none. */
  floor: number | null
}

/** One product: quantity, price, and the reason for another price. */
export function SaleLine({ sale, line, empties, held, at, product, tint, floor }: SaleLineProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { problems, changeLine, remove } = sale
  const mayAgree = useUser()?.permissions.includes('sales.custom-price') ?? false
  const name = `${nameIn(product)} ${formatSize(product.size, lang)}`
  const field = (part: string) => `items.${at}.${part}`
  const shop = formatMoney(fromBhd(product.price), lang)
  const least = floor === null ? null : formatMoney(partOf(fromBhd(product.price), floor), lang)
  const isAgreed = isAmount(line.customPrice)
  const price = isAmount(line.customPrice) ? line.customPrice : product.price
  const lineProblem = problems[field('productId')]

  function onQuantityKey(event: KeyboardEvent) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step) {
      event.preventDefault()
      changeLine(product.id, { quantity: Math.min(100, Math.max(1, (line.quantity || 0) + step)) })
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (line.quantity === 0) remove(product.id)
      focusSoon(adderId)
    }
  }
  const open = () => {
    changeLine(product.id, { isPriced: true })
    focusSoon(fieldId(field('customPrice')))
  }
  const back = () => {
    changeLine(product.id, { isPriced: false, customPrice: null, reason: '' })
    focusSoon(fieldId(field('quantity')))
  }

  return (
    <li className="border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ProductThumb size={product.size} imageUrl={product.imageUrl} tint={tint} px={48} />
        <span className="min-w-0 flex-1 basis-36">
          <bdi className="line-clamp-2 leading-relaxed font-strong">{nameIn(product)}</bdi>
          <span className="dots text-label text-ink-2">
            <UnitOf product={product} />{' '}
            <span>
              <Money bhd={price} /> {isAgreed && <s className="text-ink-3">{shop}</s>}
            </span>
          </span>
        </span>
        <TextField
          id={fieldId(field('quantity'))}
          className="w-18 flex-none"
          label={t('sale.quantityOf', { name })}
          labelHidden
          ltr
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={line.quantity ?? ''}
          style={{ textAlign: 'center' }}
          aria-invalid={problems[field('quantity')] ? true : undefined}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => changeLine(product.id, { quantity: numberIn(target.value) })}
          onKeyDown={onQuantityKey}
        />
        <Money
          bhd={toBhd(
            timesFils(fromBhd(price), line.quantity && line.quantity > 0 && line.quantity <= 100 ? line.quantity : 0),
          )}
          className="w-26 flex-none text-end font-strong max-sm:ms-15 max-sm:text-start"
        />
        <span className="flex flex-none items-center max-sm:ms-auto">
          {mayAgree && (
            <button
              type="button"
              className="grid size-tap place-items-center rounded-s text-ink-2 hover:bg-well"
              aria-label={t('sale.priceOf', { name })}
              title={t('sale.priceOf', { name })}
              aria-expanded={line.isPriced}
              onClick={line.isPriced ? back : open}
            >
              <EditIcon size={18} aria-hidden="true" />
            </button>
          )}
          <button
            type="button"
            className="grid size-tap place-items-center rounded-s text-ink-2 hover:bg-well"
            aria-label={t('sale.removeOf', { name })}
            title={t('sale.removeOf', { name })}
            onClick={() => {
              remove(product.id)
              focusSoon(adderId)
            }}
          >
            <BinIcon size={18} aria-hidden="true" />
          </button>
        </span>
      </div>
      {(problems[field('quantity')] || lineProblem) && (
        <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-label text-clay">
          <WarningIcon size={16} aria-hidden="true" className="mt-0.75" />
          {problems[field('quantity')] ?? lineProblem}
        </p>
      )}
      {product.bottle && empties !== null && (
        <div className="mt-3 sm:ms-15">
          <LineBottles
            name={name}
            quantity={line.quantity ?? 0}
            empties={empties}
            each={product.bottle.deposit}
            held={held}
            isByOffice
            onChange={(given) => changeLine(product.id, { empties: given })}
          />
        </div>
      )}
      {line.isPriced && (
        <div className="appear mt-3 grid items-start gap-3 rounded-m bg-well px-4 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <div id={fieldId(field('customPrice'))}>
            <MoneyField
              label={t('sale.customPrice')}
              value={line.customPrice}
              error={problems[field('customPrice')]}
              hint={least && t('sale.priceFloor', { price: least })}
              onChange={(customPrice) => changeLine(product.id, { customPrice })}
            />
          </div>
          <TextField
            label={t('sale.priceReason')}
            autoComplete="off"
            maxLength={300}
            value={line.reason}
            error={problems[field('reason')]}
            onChange={({ target }) => changeLine(product.id, { reason: target.value })}
          />
          <p className="text-label text-ink-2 sm:col-span-2">
            {t('sale.priceNote', { price: shop })}{' '}
            <button type="button" className="font-strong text-aqua-ink hover:underline" onClick={back}>
              {t('sale.priceBack')}
            </button>
          </p>
        </div>
      )}
    </li>
  )
}

const isAmount = (bhd: number | null): bhd is number => bhd !== null && bhd > 0 && bhd <= 10_000 && isWholeFils(bhd)
