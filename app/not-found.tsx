import { AuthLayout } from '@/components/layout/auth-layout';
import { ButtonLink } from '@/components/ui/button';

export default function NotFound() {
  return (
    <AuthLayout title="Not found" lead="There is nothing at this address. Nothing was changed.">
      <p className="mt-5"><ButtonLink href="/">To the console</ButtonLink></p>
    </AuthLayout>
  );
}
