import { useSyncExternalStore } from 'react'
import { Stepper, type StepperProps } from '../ui/Stepper.tsx'
import { useCartContext } from './CartProvider.tsx'
import { quantityOf } from './view.ts'

interface QuantityStepperProps extends Omit<StepperProps, 'quantity'> {
  productId: number
}

/** Shows how many of a product are in the cart: a press renders it alone at once, the rest of the page after the paint. */
export function QuantityStepper({ productId, ...stepper }: QuantityStepperProps) {
  const { cart, onCart, initial } = useCartContext()
  const current = () => quantityOf(cart.get(), productId)
  const quantity = useSyncExternalStore(onCart, current, () => quantityOf(initial, productId))
  return <Stepper {...stepper} quantity={quantity} />
}
