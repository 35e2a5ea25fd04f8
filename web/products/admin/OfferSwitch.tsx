import type { AdminProduct } from '@qatra/contract/products/admin'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useMayWrite } from './api.ts'
import { useProductActions } from './use-product-actions.ts'

/** Shows or hides a product in the shop, with "Undo". */
export function OfferSwitch({ product }: { product: AdminProduct }) {
  const t = useT()
  const nameIn = useNameIn()
  const mayWrite = useMayWrite()
  const { offer } = useProductActions()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const isOn = wanted ?? product.isActive
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch align-middle"
      aria-label={t('adminProducts.offer', { name: nameIn(product) })}
      aria-checked={isOn}
      checked={isOn}
      disabled={!mayWrite}
      aria-busy={wanted !== null || undefined}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
      onChange={(event) => {
        if (wanted !== null) return
        setWanted(event.target.checked)
        void offer(product, event.target.checked).finally(() => setWanted(null))
      }}
    />
  )
}
