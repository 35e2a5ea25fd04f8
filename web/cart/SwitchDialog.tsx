import { useT } from '../lib/language/i18n.tsx'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { useCart, useCartContext } from './CartProvider.tsx'
import { showCartError } from './errors.ts'

const loadQuestion = () =>
  Promise.all([import('./SwitchQuestion.tsx'), loadMessageGroups(['area', 'cart'])]).then(
    ([module]) => module.SwitchQuestion,
  )

/** Loads the question with a cart's first product, so that it is there when a product of another vendor is chosen. */
export function SwitchDialog() {
  const t = useT()
  const { pendingSwitch, askSwitch } = useCartContext()
  const { vendorId } = useCart()
  const SwitchQuestion = useChunk(loadQuestion, {
    need: pendingSwitch ?? vendorId,
    onError(error) {
      if (!pendingSwitch) return
      showCartError(error, 'switch', t)
      askSwitch(null)
    },
  })
  return SwitchQuestion && pendingSwitch && <SwitchQuestion pending={pendingSwitch} />
}
