import { ApiProperty } from '@nestjs/swagger';

export class OidcStartView {
  @ApiProperty({
    format: 'uri',
    example: 'https://login.example.org/auth?client_id=pressroom&response_type=code',
    description: 'The page of the provider, to which the browser goes',
  })
  readonly url!: string;
}
