import type { AreaSummary } from '@qatra/contract/places/areas'
import { blockDoubt } from '@qatra/contract/places/block-hundreds'
import { useNameIn } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'

/** Hint below the block field if the number is unusual in the area, or another than the pin's; it is never corrected. */
export function useBlockHint(typed: string, area: AreaSummary | null, pinBlock: number | null = null): string | null {
  const t = useT()
  const nameIn = useNameIn()
  const doubt = blockDoubt(typed, { areaCode: area?.areaId ?? null, pinBlock })
  if (!doubt) return null
  if ('pinBlock' in doubt) return t('checkout.block.pin', { block: String(doubt.pinBlock) })
  return area && t('checkout.block.hundreds', { area: nameIn(area), hundreds: doubt.hundreds.join(' / ') })
}
