# Made from the table of packets by packaging/reference.py of Recorder Editor.
meta:
  id: carla_recorder
  title: Recordings of the CARLA simulator
  application: CARLA
  file-extension:
    - log
    - rec
  license: MIT
  ks-version: 0.9
  endian: le
doc: |
  A recording is a header and packets, one after another; those from frame_start to frame_end are a frame.

  What a packet means depends on the release of CARLA that wrote it, its dialect, which no byte of the file names.
  It is the parameter of this grammar: `by_header` (or 0, or nothing where that is possible) reads version 1 as
  0.9.15 and version 2 as the newest one for Unreal 4. This is right for every release of CARLA 0.9, but for the names of
  some actor types before 0.9.12, physics_control before 0.9.12, and development builds of November 2023 to March 2025.
  Recordings of CARLA 0.10 (Unreal 5) need theirs. `recorder-editor info FILE --json` names the dialect of any file.

  `body` is decoded when it is first asked for, so that a damaged packet spoils nothing but itself. Where the dialect
  does not define it, it is the plain bytes. The bool of C++ is a number here: 0 for no and 1 for yes.
params:
  - id: dialect
    type: u1
    enum: dialect
    doc: The release that wrote the file
seq:
  - id: header
    type: header
  - id: packets
    type: packet
    repeat: eos
instances:
  file_size:
    value: _io.size
  spoken:
    value: "dialect.to_i > 0 ? dialect : header.version >= 2 ? dialect::ue4_2026 : dialect::ue4_0_9_15"
    doc: The dialect that is read
  real_size:
    value: "spoken == dialect::ue5_0_10_0 or spoken == dialect::ue5_2026 ? 8 : 4"
    doc: "Bytes of a number in vectors: 4 in Unreal 4, 8 in Unreal 5"
types:
  header:
    seq:
      - id: version
        type: u2
        doc: "Version of the format: 1, or 2 since 0.9.16"
      - id: magic_size
        contents:
          - 14
          - 0
      - id: magic
        contents: CARLA_RECORDER
        doc: Marks the file as a recording
      - id: date
        type: s8
        doc: When the recording was made, seconds since 1970-01-01 UTC (s)
      - id: map
        type: text
        doc: Map the recording was made on
  packet:
    seq:
      - id: id
        type: u1
        doc: Kind of the packet, by the numbering of the dialect
      - id: size
        type: u4
        if: has_size
        doc: Bytes of the body
      - id: raw
        size: "has_size and size <= _root.file_size - _io.pos ? size : _root.file_size - _io.pos"
        type: span
        doc: The body as a stream of its own; shorter than its size where the file ends in it
    instances:
      has_size:
        value: _root.file_size - _io.pos >= 4
        doc: False where the file ends before the size is whole
      kind:
        value: >-
          id >= 8 and id <= 9 and (_root.spoken == dialect::ue4_0_9_4) ? id + 512 : id >= 10 and id <= 17 and
          (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6) ? id + 512 : id == 18 and
          (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or _root.spoken ==
          dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12) ? id + 256 : id >= 19 and id <= 20 and
          (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or _root.spoken ==
          dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12) ? id + 512 : id == 21 and (_root.spoken
          == dialect::ue4_doors or _root.spoken == dialect::ue5_0_10_0) ? id + 2 : id >= 21 and id <= 22 and
          (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or _root.spoken ==
          dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12 or _root.spoken == dialect::ue4_0_9_14) ?
          id + 512 : id >= 22 and id <= 23 and (_root.spoken == dialect::ue4_doors or _root.spoken ==
          dialect::ue5_0_10_0) ? id - 1 : id == 23 and (_root.spoken == dialect::ue4_0_9_4 or _root.spoken ==
          dialect::ue4_0_9_6 or _root.spoken == dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12 or
          _root.spoken == dialect::ue4_0_9_14 or _root.spoken == dialect::ue4_0_9_15) ? id + 512 : id == 24
          and (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or _root.spoken ==
          dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12 or _root.spoken == dialect::ue4_0_9_14 or
          _root.spoken == dialect::ue4_0_9_15 or _root.spoken == dialect::ue4_doors or _root.spoken ==
          dialect::ue4_0_9_16 or _root.spoken == dialect::ue5_0_10_0) ? id + 512 : id
        enum: packet_kind
        doc: Kind of the packet, by one numbering for all dialects
      layout:
        value: >-
          kind == packet_kind::physics_control and (_root.spoken == dialect::ue5_0_10_0 or _root.spoken ==
          dialect::ue5_2026) ? packet_kind::physics_control_unreal5 : kind
        doc: The kind, or one of its own where Unreal 5 has other members
      body:
        io: raw._io
        pos: 0
        size-eos: true
        type:
          switch-on: layout
          cases:
            packet_kind::frame_start: frame_start_body
            packet_kind::event_add: event_add_body
            packet_kind::event_del: event_del_body
            packet_kind::event_parent: event_parent_body
            packet_kind::collision: collision_body
            packet_kind::position: position_body
            packet_kind::state: state_body
            packet_kind::anim_vehicle: anim_vehicle_body
            packet_kind::anim_walker: anim_walker_body
            packet_kind::vehicle_light: vehicle_light_body
            packet_kind::scene_light: scene_light_body
            packet_kind::kinematics: kinematics_body
            packet_kind::bounding_box: bounding_box_body
            packet_kind::platform_time: platform_time_body
            packet_kind::physics_control: physics_control_body
            packet_kind::traffic_light_time: traffic_light_time_body
            packet_kind::trigger_volume: trigger_volume_body
            packet_kind::frame_counter: frame_counter_body
            packet_kind::walker_bones: walker_bones_body
            packet_kind::visual_time: visual_time_body
            packet_kind::anim_vehicle_wheels: anim_vehicle_wheels_body
            packet_kind::anim_biker: anim_biker_body
            packet_kind::vehicle_door: vehicle_door_body
            packet_kind::weather: weather_body
            packet_kind::physics_control_unreal5: physics_control_unreal5_body
  span:
    doc: Bytes that others read
  text:
    seq:
      - id: size
        type: u2
      - id: bytes
        size: size
    instances:
      value:
        value: bytes.to_s('UTF-8')
        doc: The text; fails if it is not UTF-8
  vector:
    seq:
      - id: x
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: X, forward
      - id: "y"
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: Y, to the right
      - id: z
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: Z, up
  rotation:
    seq:
      - id: roll
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About X
      - id: pitch
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About Y, nose up
      - id: yaw
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About Z, clockwise from above
  rotator:
    seq:
      - id: pitch
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About Y, nose up
      - id: roll
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About X
      - id: yaw
        type:
          switch-on: _root.real_size
          cases:
            4: f4
            8: f8
        doc: About Z, clockwise from above
  frame_start_body:
    doc: "Begins a frame: its number and times"
    seq:
      - id: frame_id
        type: u8
        doc: Number of the frame, from 1, without gaps
      - id: duration
        type: f8
        doc: Time from this frame to the next; -1 in the last frame (s)
      - id: elapsed
        type: f8
        doc: Time since the recording began (s)
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
  event_add_body:
    doc: Actors that were created in this frame
    seq:
      - id: count
        type: u2
      - id: records
        type: actor
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      actor:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: type
            type: u1
            doc: Class of the actor; the replayer does not use it
          - id: location
            type: vector
            doc: Where it was created, world (cm)
          - id: rotation
            type: rotation
            doc: Rotation (°)
          - id: uid
            type: u4
            doc: Number of the blueprint in the build that recorded; 0 for spectator and traffic actors
          - id: blueprint
            type: text
            doc: Blueprint (description id), as in vehicle.lincoln.mkz_2017
          - id: num_attributes
            type: u2
            doc: Number of attributes that follow
          - id: attributes
            type: attribute
            repeat: expr
            repeat-expr: num_attributes
            doc: The blueprint's attributes
        instances:
          type_name:
            value: >-
              type == 4 and (_root.spoken == dialect::ue4_0_9_4) ? type + 2 : type == 4 and (_root.spoken ==
              dialect::ue4_0_9_6) ? type + 256 : type == 5 and (_root.spoken == dialect::ue4_0_9_6 or _root.spoken
              == dialect::ue4_0_9_10) ? type + 1 : type == 5 and (_root.spoken == dialect::ue4_0_9_4) ? type + 512
              : type == 6 and (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or
              _root.spoken == dialect::ue4_0_9_10) ? type + 512 : type
            enum: actor_types
            doc: Class of the actor; the replayer does not use it
        types:
          attribute:
            seq:
              - id: type
                type: u1
                doc: Type of the value
              - id: id
                type: text
                doc: Name of the attribute
              - id: value
                type: text
                doc: Value, as text
            instances:
              type_name:
                value: >-
                  type >= 0 and type <= 4 and (_root.spoken == dialect::ue4_0_9_4 or _root.spoken ==
                  dialect::ue4_0_9_6 or _root.spoken == dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12 or
                  _root.spoken == dialect::ue4_0_9_14 or _root.spoken == dialect::ue4_0_9_15 or _root.spoken ==
                  dialect::ue4_doors or _root.spoken == dialect::ue5_0_10_0 or _root.spoken == dialect::ue5_2026) ?
                  type + 1 : type == 5 and (_root.spoken == dialect::ue5_2026) ? type + 256 : type == 5 and
                  (_root.spoken == dialect::ue4_0_9_4 or _root.spoken == dialect::ue4_0_9_6 or _root.spoken ==
                  dialect::ue4_0_9_10 or _root.spoken == dialect::ue4_0_9_12 or _root.spoken == dialect::ue4_0_9_14 or
                  _root.spoken == dialect::ue4_0_9_15 or _root.spoken == dialect::ue4_doors or _root.spoken ==
                  dialect::ue5_0_10_0) ? type + 512 : type
                enum: attribute_types
                doc: Type of the value
  event_del_body:
    doc: Actors that were destroyed in this frame
    seq:
      - id: count
        type: u2
      - id: records
        type: actor
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      actor:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
  event_parent_body:
    doc: Attachments made in this frame
    seq:
      - id: count
        type: u2
      - id: records
        type: attachment
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      attachment:
        seq:
          - id: child
            type: u4
            doc: Actor that is attached
          - id: parent
            type: u4
            doc: Actor it is attached to
  collision_body:
    doc: Collisions that sensors reported in this frame
    seq:
      - id: count
        type: u2
      - id: records
        type: collision
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      collision:
        seq:
          - id: id
            type: u4
            doc: Number of the collision, from 0; gaps are normal
          - id: actor1
            type: u4
            doc: Owner of the collision sensor; 4294967295 is not a CARLA actor
          - id: actor2
            type: u4
            doc: The other actor; 4294967295 is not a CARLA actor
          - id: hero1
            type: u1
            doc: The first actor is a hero
          - id: hero2
            type: u1
            doc: The second actor is a hero
  position_body:
    doc: Where every vehicle, walker and prop is
    seq:
      - id: count
        type: u2
      - id: records
        type: position
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      position:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: location
            type: vector
            doc: Where it is, world (cm)
          - id: rotation
            type: rotation
            doc: Rotation (°)
  state_body:
    doc: State of every traffic light
    seq:
      - id: count
        type: u2
      - id: records
        type: traffic_light
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      traffic_light:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: frozen
            type: u1
            doc: The light is frozen in its state
          - id: elapsed
            type: f4
            doc: Time in the current state (s)
          - id: state
            type: s1
            enum: light_states
            doc: State of the light
  anim_vehicle_body:
    doc: Steering, throttle, brake and gear of every vehicle
    seq:
      - id: count
        type: u2
      - id: records
        type: vehicle_control
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      vehicle_control:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: steering
            type: f4
            doc: Steering, -1 left to 1 right
          - id: throttle
            type: f4
            doc: Throttle, 0 to 1
          - id: brake
            type: f4
            doc: Brake, 0 to 1
          - id: handbrake
            type: u1
            doc: Hand brake is on
          - id: gear
            type: s4
            doc: Gear; negative is reverse
  anim_walker_body:
    doc: Walking speed of every walker
    seq:
      - id: count
        type: u2
      - id: records
        type: walker_control
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      walker_control:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: speed
            type: f4
            doc: Walking speed (cm/s)
  vehicle_light_body:
    doc: Lights of every vehicle
    seq:
      - id: count
        type: u2
      - id: records
        type: vehicle_lights
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      vehicle_lights:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: lights
            type: u4
            doc: The lights that are on
        instances:
          lights_position:
            value: "(lights & 0x1) != 0"
          lights_low_beam:
            value: "(lights & 0x2) != 0"
          lights_high_beam:
            value: "(lights & 0x4) != 0"
          lights_brake:
            value: "(lights & 0x8) != 0"
          lights_right_blinker:
            value: "(lights & 0x10) != 0"
          lights_left_blinker:
            value: "(lights & 0x20) != 0"
          lights_reverse:
            value: "(lights & 0x40) != 0"
          lights_fog:
            value: "(lights & 0x80) != 0"
          lights_interior:
            value: "(lights & 0x100) != 0"
          lights_special1:
            value: "(lights & 0x200) != 0"
          lights_special2:
            value: "(lights & 0x400) != 0"
  scene_light_body:
    doc: Lights of the map that changed; all of them in the first frame
    seq:
      - id: count
        type: u2
      - id: records
        type: scene_light
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      scene_light:
        seq:
          - id: id
            type: s4
            doc: Number of the light in the map
          - id: intensity
            type: f4
            doc: Brightness
          - id: color
            type: color
          - id: "on"
            type: u1
            doc: The light is switched on
          - id: group
            type: u1
            enum: light_groups
            doc: What the light belongs to
        types:
          color:
            seq:
              - id: r
                type: f4
                doc: Red, linear
              - id: g
                type: f4
                doc: Green, linear
              - id: b
                type: f4
                doc: Blue, linear
              - id: a
                type: f4
                doc: Alpha, linear
  kinematics_body:
    doc: Velocities of vehicles and walkers (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: velocity
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      velocity:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: linear_velocity
            type: vector
            doc: Velocity, world axes (m/s)
          - id: angular_velocity
            type: vector
            doc: Angular velocity, world axes (°/s)
  bounding_box_body:
    doc: Boxes of the actors created in this frame (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: box
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      box:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: origin
            type: vector
            doc: Centre of the box, in the actor's axes (cm)
          - id: extent
            type: vector
            doc: Half the size of the box (cm)
  platform_time_body:
    doc: Wall-clock time of the frame (additional data)
    seq:
      - id: time
        type: f8
        doc: Wall-clock time since the recording began (s)
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
  physics_control_body:
    doc: Physics of vehicles, when set (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: physics
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      physics:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: max_rpm
            type: f4
            doc: Maximum engine speed (rpm)
          - id: moi
            type: f4
            doc: Moment of inertia of the engine (kg·m²)
          - id: damping_full_throttle
            type: f4
            doc: Damping of the engine, full throttle
          - id: damping_zero_throttle_clutch_engaged
            type: f4
            doc: Damping of the engine, no throttle, clutch engaged
          - id: damping_zero_throttle_clutch_disengaged
            type: f4
            doc: Damping of the engine, no throttle, clutch open
          - id: use_gear_autobox
            type: u1
            doc: The gearbox is automatic
          - id: clutch_strength
            type: f4
            doc: Strength of the clutch
          - id: final_ratio
            type: f4
            doc: Final drive ratio
          - id: mass
            type: f4
            doc: Mass (kg)
          - id: drag_coefficient
            type: f4
            doc: Drag coefficient
          - id: center_of_mass
            type: center_of_mass
          - id: num_torque_curve
            type: u4
            doc: Number of torque_curve that follow
          - id: torque_curve
            type: torque_curve_point
            repeat: expr
            repeat-expr: num_torque_curve
            doc: Torque over engine speed
          - id: num_forward_gears
            type: u4
            doc: Number of forward_gears that follow
          - id: forward_gears
            type: gear
            repeat: expr
            repeat-expr: num_forward_gears
            doc: The forward gears
          - id: num_steering_curve
            type: u4
            doc: Number of steering_curve that follow
          - id: steering_curve
            type: steering_curve_point
            repeat: expr
            repeat-expr: num_steering_curve
            doc: Steering over speed
          - id: num_wheels
            type: u4
            doc: Number of wheels that follow
          - id: wheels
            type: wheel
            repeat: expr
            repeat-expr: num_wheels
            doc: The wheels
        types:
          center_of_mass:
            seq:
              - id: x
                type: f4
                doc: "Centre of mass, in the actor's axes: X, forward (m)"
              - id: "y"
                type: f4
                doc: "Centre of mass, in the actor's axes: Y, to the right (m)"
              - id: z
                type: f4
                doc: "Centre of mass, in the actor's axes: Z, up (m)"
          torque_curve_point:
            seq:
              - id: rpm
                type: f4
                doc: Engine speed (rpm)
              - id: torque
                type: f4
                doc: Torque at that speed (N·m)
          gear:
            seq:
              - id: ratio
                type: f4
                doc: Gear ratio
              - id: down_ratio
                type: f4
                doc: Engine speed at which it shifts down, as a fraction of its maximum
              - id: up_ratio
                type: f4
                doc: Engine speed at which it shifts up, as a fraction of its maximum
          steering_curve_point:
            seq:
              - id: speed
                type: f4
                doc: Speed (km/h)
              - id: value
                type: f4
                doc: Fraction of the steering angle at that speed
          wheel:
            seq:
              - id: tire_friction
                type: f4
                doc: Friction of the tyre
              - id: damping_rate
                type: f4
                doc: Damping of the wheel
              - id: max_steer_angle
                type: f4
                doc: Maximum steering angle (°)
              - id: radius
                type: f4
                doc: Radius (cm)
              - id: max_brake_torque
                type: f4
                doc: Maximum braking torque (N·m)
              - id: max_handbrake_torque
                type: f4
                doc: Maximum torque of the hand brake (N·m)
              - id: lat_stiff_max_load
                type: f4
                if: not (_root.spoken == dialect::ue4_0_9_10)
                doc: Load at which lateral stiffness is at its maximum
              - id: lat_stiff_value
                type: f4
                if: not (_root.spoken == dialect::ue4_0_9_10)
                doc: Lateral stiffness
              - id: long_stiff_value
                type: f4
                if: not (_root.spoken == dialect::ue4_0_9_10)
                doc: Longitudinal stiffness
              - id: position
                type: position
            types:
              position:
                seq:
                  - id: x
                    type: f4
                    doc: "Position of the wheel, world: X, forward (cm)"
                  - id: "y"
                    type: f4
                    doc: "Position of the wheel, world: Y, to the right (cm)"
                  - id: z
                    type: f4
                    doc: "Position of the wheel, world: Z, up (cm)"
  traffic_light_time_body:
    doc: Durations of the lights' phases, when set (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: light_times
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      light_times:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: green
            type: f4
            doc: Duration of green (s)
          - id: yellow
            type: f4
            doc: Duration of yellow (s)
          - id: red
            type: f4
            doc: Duration of red (s)
  trigger_volume_body:
    doc: Where lights and signs act, at creation (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: trigger_volume
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      trigger_volume:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: origin
            type: vector
            doc: Centre of the volume, world (cm)
          - id: extent
            type: vector
            doc: Half the size of the volume (cm)
  frame_counter_body:
    doc: Frame number shared by several GPUs; never written to a file by CARLA
    seq:
      - id: counter
        type: u8
        doc: Frame number of the primary server
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
  walker_bones_body:
    doc: Poses of the walkers' skeletons (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: skeleton
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      skeleton:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: num_bones
            type: u2
            doc: Number of bones that follow
          - id: bones
            type: bone
            repeat: expr
            repeat-expr: num_bones
            doc: The walker's bones
        types:
          bone:
            seq:
              - id: name
                type: text
                doc: Name of the bone
              - id: location
                type: vector
                doc: Position of the bone, relative to its parent (cm)
              - id: rotation
                type: rotation
                doc: Rotation (°)
  visual_time_body:
    doc: Time of clouds, rain and other effects
    seq:
      - id: time
        type: f8
        doc: Time of the visual effects (s)
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
  anim_vehicle_wheels_body:
    doc: Angles of the vehicles' wheels
    seq:
      - id: count
        type: u2
      - id: records
        type: wheels
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      wheels:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: num_wheels
            type: u4
            doc: Number of wheels that follow
          - id: wheels
            type: wheel
            repeat: expr
            repeat-expr: num_wheels
            doc: The vehicle's wheels
        types:
          wheel:
            seq:
              - id: location
                type: u1
                enum: wheels
                doc: Wheel; a bicycle has 0 in front, 1 behind
              - id: steering
                type: f4
                doc: Steering angle (°)
              - id: rotation
                type: f4
                doc: Rotation of the wheel (°)
  anim_biker_body:
    doc: Animation of riders
    seq:
      - id: count
        type: u2
      - id: records
        type: rider
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      rider:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: forward_speed
            type: f4
            doc: Riding speed for the animation
          - id: engine_rotation
            type: f4
            doc: Engine speed, as a fraction of its maximum
  vehicle_door_body:
    doc: Doors that opened or closed in this frame
    seq:
      - id: count
        type: u2
      - id: records
        type: door
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      door:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: door
            type: u1
            enum: doors
            doc: Door
          - id: open
            type: u1
            doc: The door is open
  weather_body:
    doc: Weather, when it changed; in force from the first frame
    seq:
      - id: count
        type: u2
      - id: records
        type: weather
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      weather:
        seq:
          - id: cloudiness
            type: f4
            doc: Clouds, 0 clear to 100 overcast (%)
          - id: precipitation
            type: f4
            doc: Rain, 0 none to 100 heavy (%)
          - id: precipitation_deposits
            type: f4
            doc: Puddles on the road (%)
          - id: wind_intensity
            type: f4
            doc: Wind (%)
          - id: sun_azimuth_angle
            type: f4
            doc: Azimuth of the sun (°)
          - id: sun_altitude_angle
            type: f4
            doc: Altitude of the sun; below 0 is night (°)
          - id: fog_density
            type: f4
            doc: Fog (%)
          - id: fog_distance
            type: f4
            doc: Distance at which the fog begins (m)
          - id: fog_falloff
            type: f4
            doc: Falloff of the fog with height
          - id: wetness
            type: f4
            doc: Wetness of the camera (%)
          - id: scattering_intensity
            type: f4
            doc: Light that the fog scatters
          - id: mie_scattering_scale
            type: f4
            doc: Scattering by large particles
          - id: rayleigh_scattering_scale
            type: f4
            doc: Scattering by small particles
          - id: dust_storm
            type: f4
            doc: Dust storm (%)
  physics_control_unreal5_body:
    doc: Physics of vehicles, when set (additional data)
    seq:
      - id: count
        type: u2
      - id: records
        type: physics
        repeat: expr
        repeat-expr: count
      - id: tail
        size-eos: true
        doc: Bytes behind the records; none in a sound packet
    types:
      physics:
        seq:
          - id: id
            type: u4
            doc: Actor id at recording time
          - id: max_torque
            type: f4
            doc: Maximum torque of the engine (N·m)
          - id: max_rpm
            type: f4
            doc: Maximum engine speed (rpm)
          - id: idle_rpm
            type: f4
            doc: Engine speed when idling (rpm)
          - id: brake_effect
            type: f4
            doc: Strength of engine braking
          - id: rev_up_moi
            type: f4
            doc: Moment of inertia of the engine
          - id: rev_down_rate
            type: f4
            doc: How fast the engine slows down
          - id: differential_type
            type: u1
            doc: Kind of differential
          - id: front_rear_split
            type: f4
            doc: Split of the torque between front and rear wheels
          - id: use_automatic_gears
            type: u1
            doc: The gearbox is automatic
          - id: gear_change_time
            type: f4
            doc: Time to change a gear (s)
          - id: final_ratio
            type: f4
            doc: Final drive ratio
          - id: change_up_rpm
            type: f4
            doc: Engine speed at which it shifts up (rpm)
          - id: change_down_rpm
            type: f4
            doc: Engine speed at which it shifts down (rpm)
          - id: transmission_efficiency
            type: f4
            doc: Efficiency of the transmission
          - id: mass
            type: f4
            doc: Mass (kg)
          - id: drag_coefficient
            type: f4
            doc: Drag coefficient
          - id: center_of_mass
            type: center_of_mass
          - id: chassis_width
            type: f4
            doc: Width of the chassis (cm)
          - id: chassis_height
            type: f4
            doc: Height of the chassis (cm)
          - id: downforce_coefficient
            type: f4
            doc: Downforce coefficient
          - id: drag_area
            type: f4
            doc: Area for the drag
          - id: inertia_tensor_scale
            type: inertia_tensor_scale
          - id: sleep_threshold
            type: f4
            doc: Motion below which its physics may sleep
          - id: sleep_slope_limit
            type: f4
            doc: Slope up to which its physics may sleep
          - id: use_sweep_wheel_collision
            type: u1
            doc: The wheels meet the ground with their whole shape
          - id: num_torque_curve
            type: u4
            doc: Number of torque_curve that follow
          - id: torque_curve
            type: torque_curve_point
            repeat: expr
            repeat-expr: num_torque_curve
            doc: Torque over engine speed
          - id: num_forward_gear_ratios
            type: u4
            doc: Number of forward_gear_ratios that follow
          - id: forward_gear_ratios
            type: forward_gear_ratios_gear
            repeat: expr
            repeat-expr: num_forward_gear_ratios
            doc: The forward gears
          - id: num_reverse_gear_ratios
            type: u4
            doc: Number of reverse_gear_ratios that follow
          - id: reverse_gear_ratios
            type: reverse_gear_ratios_gear
            repeat: expr
            repeat-expr: num_reverse_gear_ratios
            doc: The reverse gears
          - id: num_steering_curve
            type: u4
            doc: Number of steering_curve that follow
          - id: steering_curve
            type: steering_curve_point
            repeat: expr
            repeat-expr: num_steering_curve
            doc: Steering over speed
          - id: num_wheels
            type: u4
            doc: Number of wheels that follow
          - id: wheels
            type: wheel
            repeat: expr
            repeat-expr: num_wheels
            doc: The wheels, as the memory of the server held them
        types:
          center_of_mass:
            seq:
              - id: x
                type: f4
                doc: "Centre of mass, in the actor's axes: X, forward (m)"
              - id: "y"
                type: f4
                doc: "Centre of mass, in the actor's axes: Y, to the right (m)"
              - id: z
                type: f4
                doc: "Centre of mass, in the actor's axes: Z, up (m)"
          inertia_tensor_scale:
            seq:
              - id: x
                type: f4
                doc: "Factor of the inertia: X, forward"
              - id: "y"
                type: f4
                doc: "Factor of the inertia: Y, to the right"
              - id: z
                type: f4
                doc: "Factor of the inertia: Z, up"
          torque_curve_point:
            seq:
              - id: rpm
                type: f4
                doc: Engine speed (rpm)
              - id: torque
                type: f4
                doc: Torque at that speed (N·m)
          forward_gear_ratios_gear:
            seq:
              - id: ratio
                type: f4
                doc: Gear ratio
          reverse_gear_ratios_gear:
            seq:
              - id: ratio
                type: f4
                doc: Gear ratio
          steering_curve_point:
            seq:
              - id: speed
                type: f4
                doc: Speed
              - id: value
                type: f4
                doc: Fraction of the steering angle at that speed
          wheel:
            seq:
              - id: axle_type
                type: u1
                doc: Kind of axle
              - id: padding_1
                size: 3
                doc: Bytes without a meaning
              - id: offset
                type: offset
              - id: wheel_radius
                type: f4
                doc: Radius (cm)
              - id: wheel_width
                type: f4
                doc: Width (cm)
              - id: wheel_mass
                type: f4
                doc: Mass (kg)
              - id: cornering_stiffness
                type: f4
                doc: Cornering stiffness
              - id: friction_force_multiplier
                type: f4
                doc: Factor of the friction of the tyre
              - id: side_slip_modifier
                type: f4
                doc: Factor of the grip to the side while it skids
              - id: slip_threshold
                type: f4
                doc: Slip from which the wheel spins or locks
              - id: skid_threshold
                type: f4
                doc: Slip to the side from which the wheel skids
              - id: max_steer_angle
                type: f4
                doc: Maximum steering angle (°)
              - id: affected_by_steering
                type: u1
                doc: The wheel is steered
              - id: affected_by_brake
                type: u1
                doc: The brake acts on the wheel
              - id: affected_by_handbrake
                type: u1
                doc: The hand brake acts on the wheel
              - id: affected_by_engine
                type: u1
                doc: The engine drives the wheel
              - id: abs_enabled
                type: u1
                doc: The brake does not lock the wheel (ABS)
              - id: traction_control_enabled
                type: u1
                doc: The engine does not spin the wheel (traction control)
              - id: padding_58
                size: 2
                doc: Bytes without a meaning
              - id: max_wheelspin_rotation
                type: f4
                doc: How fast the wheel spins at most
              - id: external_torque_combine_method
                type: u1
                doc: How torque from outside is combined with that of the engine
              - id: padding_65
                size: 7
                doc: Bytes without a meaning
              - id: lateral_slip_graph
                size: 24
                doc: Pointers of the server that recorded it; zeros if its curve is empty
              - id: suspension_axis
                type: suspension_axis
              - id: suspension_force_offset
                type: suspension_force_offset
              - id: suspension_max_raise
                type: f4
                doc: How far the suspension lets the wheel rise (cm)
              - id: suspension_max_drop
                type: f4
                doc: How far the suspension lets the wheel drop (cm)
              - id: suspension_damping_ratio
                type: f4
                doc: Damping of the suspension
              - id: wheel_load_ratio
                type: f4
                doc: Share of its load in the grip of the wheel
              - id: spring_rate
                type: f4
                doc: Stiffness of the spring
              - id: spring_preload
                type: f4
                doc: Force of the spring at rest
              - id: suspension_smoothing
                type: s4
                doc: Smoothing of the suspension
              - id: rollbar_scaling
                type: f4
                doc: Strength of the anti-roll bar
              - id: sweep_shape
                type: u1
                doc: Shape with which the wheel looks for the ground
              - id: sweep_type
                type: u1
                doc: What counts as ground for the wheel
              - id: padding_154
                size: 2
                doc: Bytes without a meaning
              - id: max_brake_torque
                type: f4
                doc: Maximum braking torque (N·m)
              - id: max_hand_brake_torque
                type: f4
                doc: Maximum torque of the hand brake (N·m)
              - id: wheel_index
                type: s4
                doc: Number of the wheel
              - id: location
                type: location
              - id: old_location
                type: old_location
              - id: velocity
                type: velocity
              - id: padding_204
                size: 4
                doc: Bytes without a meaning
            types:
              offset:
                seq:
                  - id: x
                    type: f4
                    doc: "Position of the wheel, on the vehicle: X, forward (cm)"
                  - id: "y"
                    type: f4
                    doc: "Position of the wheel, on the vehicle: Y, to the right (cm)"
                  - id: z
                    type: f4
                    doc: "Position of the wheel, on the vehicle: Z, up (cm)"
              suspension_axis:
                seq:
                  - id: x
                    type: f4
                    doc: "Direction of the suspension: X, forward"
                  - id: "y"
                    type: f4
                    doc: "Direction of the suspension: Y, to the right"
                  - id: z
                    type: f4
                    doc: "Direction of the suspension: Z, up"
              suspension_force_offset:
                seq:
                  - id: x
                    type: f4
                    doc: "Where the suspension pushes, from the wheel: X, forward (cm)"
                  - id: "y"
                    type: f4
                    doc: "Where the suspension pushes, from the wheel: Y, to the right (cm)"
                  - id: z
                    type: f4
                    doc: "Where the suspension pushes, from the wheel: Z, up (cm)"
              location:
                seq:
                  - id: x
                    type: f4
                    doc: "Where the server had the wheel: X, forward"
                  - id: "y"
                    type: f4
                    doc: "Where the server had the wheel: Y, to the right"
                  - id: z
                    type: f4
                    doc: "Where the server had the wheel: Z, up"
              old_location:
                seq:
                  - id: x
                    type: f4
                    doc: "Where the server had the wheel before: X, forward"
                  - id: "y"
                    type: f4
                    doc: "Where the server had the wheel before: Y, to the right"
                  - id: z
                    type: f4
                    doc: "Where the server had the wheel before: Z, up"
              velocity:
                seq:
                  - id: x
                    type: f4
                    doc: "How fast the server had the wheel move: X, forward"
                  - id: "y"
                    type: f4
                    doc: "How fast the server had the wheel move: Y, to the right"
                  - id: z
                    type: f4
                    doc: "How fast the server had the wheel move: Z, up"
enums:
  dialect:
    0:
      id: by_header
      doc: As the version of the header says
    1:
      id: ue4_0_9_4
      doc: CARLA 0.9.4 to 0.9.5 (floats)
    2:
      id: ue4_0_9_6
      doc: CARLA 0.9.6 to 0.9.9.4 (floats)
    3:
      id: ue4_0_9_10
      doc: CARLA 0.9.10 to 0.9.11 (floats)
    4:
      id: ue4_0_9_12
      doc: CARLA 0.9.12 to 0.9.13 (floats)
    5:
      id: ue4_0_9_14
      doc: CARLA 0.9.14 (floats)
    6:
      id: ue4_0_9_15
      doc: CARLA 0.9.15 (floats)
    7:
      id: ue4_doors
      doc: CARLA 0.9.15 (development) (floats)
    8:
      id: ue4_0_9_16
      doc: CARLA 0.9.16 (floats)
    9:
      id: ue4_2026
      doc: CARLA 2026 (floats)
    10:
      id: ue5_0_10_0
      doc: CARLA 0.10.0 (doubles)
    11:
      id: ue5_2026
      doc: CARLA 0.10 (2026) (doubles)
  packet_kind:
    0: frame_start
    1: frame_end
    2: event_add
    3: event_del
    4: event_parent
    5: collision
    6: position
    7: state
    8: anim_vehicle
    9: anim_walker
    10: vehicle_light
    11: scene_light
    12: kinematics
    13: bounding_box
    14: platform_time
    15: physics_control
    16: traffic_light_time
    17: trigger_volume
    18: frame_counter
    19: walker_bones
    20: visual_time
    21: anim_vehicle_wheels
    22: anim_biker
    23: vehicle_door
    24: weather
    139: d_reye_vr_sensor
    140: d_reye_vr_custom_actor
    141: d_reye_vr_config
    274: d_reye_vr_weather
    511: physics_control_unreal5
  actor_types:
    0: other
    1: vehicle
    2: walker
    3: traffic_light
    4: traffic_sign
    5: sensor
    6: invalid
    260: traffic_sign_0_9_9_invalid_before
  attribute_types:
    0: none
    1: bool
    2: int
    3: float
    4: string
    5: rgb_color
    261: vector
  light_states:
    0: red
    1: yellow
    2: green
    3: "off"
    4: unknown
  light_groups:
    0: none
    1: vehicle
    2: street
    3: building
    4: other
  wheels:
    0: front_left
    1: front_right
    2: rear_left
    3: rear_right
    4: middle_left
    5: middle_right
  doors:
    0: front_left
    1: front_right
    2: rear_left
    3: rear_right
    4: hood
    5: trunk
    6: all
