import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm run check` holds the types; a build that starts the product does not check them a second time.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg'],
  turbopack: { root: import.meta.dirname },
};

export default config;
