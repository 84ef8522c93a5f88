require 'json'
require 'openssl'
require 'webrick' # gem install webrick; Debian's ruby has it

$stdout.sync = true
TOLERANCE_SECONDS = 300
KEY = ENV.fetch('UPVANE_WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m0')
# With an empty key anybody could sign.
abort 'UPVANE_WEBHOOK_SECRET must be a whsec_... secret' if KEY.bytesize < 24

def signed?(request, body)
  timestamp = request['webhook-timestamp'].to_s
  return false unless timestamp.match?(/\A\d{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

  content = "#{request['webhook-id']}.#{timestamp}.".b + body
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, content)].pack('m0')}"
  # During a rotation there are several signatures, separated by blanks.
  request['webhook-signature'].to_s.split.any? { |given| OpenSSL.secure_compare(given, expected) }
end

server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ENV.fetch('PORT', '9900').to_i)
server.mount_proc '/' do |request, response|
  body = request.body.to_s.b
  response.status = signed?(request, body) ? 204 : 400
  if response.status == 204
    event = JSON.parse(body)
    puts "#{event['id']} #{event['type']}"
  end
end
trap('INT') { server.shutdown }
server.start
